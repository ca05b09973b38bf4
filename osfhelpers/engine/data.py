"""Where do the published facts lie, and are they intact?

One function finds the data folder, in a checkout and in an installed wheel alike;
one function reads a file from it and refuses a file that has been altered.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
# A wheel carries the folder inside the package; a checkout has it next door.
FOLDERS = (PACKAGE / "_data", PACKAGE.parent / "data")
CHECKSUMS = "SHA256SUMS"
CHECKSUM_LINE = re.compile("(?P<sha256>[0-9a-f]{64})  (?P<name>.+)")
REINSTALL = "python -m pip install --force-reinstall osfhelpers"
RESTORE = f"restore it with: git checkout -- data, or {REINSTALL}"


class DataError(Exception):
    """A data file is missing or is not the one that was published with this package."""


def data_path(name: str = "") -> Path:
    """Return the path of the data folder, or of one file or folder in it.

    Raises:
        DataError: nothing of that name is there.
    """
    for folder in FOLDERS:
        if (folder / CHECKSUMS).is_file():
            path = folder / name
            if path.exists():
                return path
            raise DataError(f"data file {name!r} is missing from {folder}; mend it with: {REINSTALL}")
    looked = " and ".join(str(folder) for folder in FOLDERS)
    raise DataError(f"no data folder with a {CHECKSUMS} file in {looked}; mend it with: {REINSTALL}")


def digest(path: Path) -> str:
    """Return the SHA-256 of a text file in hex, the same on systems that end lines with CR LF."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


@cache
def checksums() -> dict[str, str]:
    """Return the recorded SHA-256 of every data file, keyed by its path inside the folder.

    Raises:
        DataError: the list is missing, or a line of it is no checksum and name.
    """
    recorded = {}
    lines = data_path(CHECKSUMS).read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        parts = CHECKSUM_LINE.fullmatch(line)
        if parts is None:
            raise DataError(f"line {number} of {CHECKSUMS} is no checksum and name; {RESTORE}")
        recorded[parts["name"]] = parts["sha256"]
    return recorded


def verify(name: str) -> Path:
    """Return the path of a data file whose content is the recorded one.

    Raises:
        DataError: the file is missing, unrecorded or altered.
    """
    path = data_path(name)
    recorded = checksums().get(name)
    if recorded is None:
        raise DataError(f"data file {name!r} has no line in {CHECKSUMS}; run: python tools/refresh.py")
    if (found := digest(path)) != recorded:
        raise DataError(
            f"data file {name!r} was altered: its SHA-256 is {found[:12]}…, recorded is {recorded[:12]}…; "
            f"{RESTORE}"
        )
    return path


@cache
def load(name: str) -> Any:
    """Return the content of a JSON data file, after checking that it is intact."""
    return json.loads(verify(name).read_text(encoding="utf-8"))
