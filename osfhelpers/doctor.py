"""Is this installation complete, and if not, which command mends it?"""

import importlib.metadata
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from osfhelpers.engine.data import REINSTALL, DataError, checksums, verify

OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `mend` is empty when it is in order."""

    what: str
    found: str
    mend: str = ""

    def __str__(self) -> str:
        line = f"{'MISSING' if self.mend else 'ok':8}{self.what:18}{self.found}"
        return f"{line}\n        mend it with: {self.mend}" if self.mend else line


def examine() -> Iterator[Finding]:
    """Look at Python, the packages, the Jupyter kernel and the data files."""
    version = platform.python_version()
    enough = sys.version_info[:2] >= OLDEST_PYTHON
    yield Finding("python", version, "" if enough else "install Python 3.11 or newer")
    yield from _packages()
    yield _kernel()
    yield from _data_files()


def needed() -> dict[str, str]:
    """Return the packages that this installation asks for, each with the extra that brings it or ""."""
    found = {}
    for requirement in importlib.metadata.requires("osfhelpers") or ():
        extra = re.search(r"extra == ['\"](\w+)", requirement)
        brought_by = extra[1] if extra else ""
        if brought_by in ("", "lab", "wire"):
            found[re.match(r"[\w.-]+", requirement)[0]] = brought_by
    return found


def _packages() -> Iterator[Finding]:
    try:
        wanted = needed()
    except importlib.metadata.PackageNotFoundError:
        yield Finding("osfhelpers", "not installed", f"{sys.executable} -m pip install --editable .")
        return
    for name, extra in wanted.items():
        try:
            yield Finding(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            if extra == "wire":
                yield Finding(name, 'not installed; chapter 11 alone needs it: the extra "wire" brings it')
            else:
                brings = f"osfhelpers[{extra}]" if extra else "osfhelpers"
                yield Finding(name, "not installed", f'{sys.executable} -m pip install "{brings}"')


def _kernel() -> Finding:
    mend = f"{sys.executable} -m ipykernel install --user --name python3"
    try:
        from jupyter_client.kernelspec import KernelSpecManager
    except ModuleNotFoundError:
        install = f"{sys.executable} -m pip install ipykernel"
        return Finding("kernel", "jupyter_client is not installed", install)
    if "python3" in KernelSpecManager().find_kernel_specs():
        return Finding("kernel", "python3")
    return Finding("kernel", "no kernel named python3", mend)


def _data_files() -> Iterator[Finding]:
    try:
        names = list(checksums())
    except DataError as error:
        yield Finding("data", str(error), REINSTALL)
        return
    for name in names:
        try:
            verify(name)
        except DataError as error:
            yield Finding("data", str(error), f"git checkout -- data, or {REINSTALL}")
            return
    yield Finding("data", f"{len(names)} files, every SHA-256 as recorded")
