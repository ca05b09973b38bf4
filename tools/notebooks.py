"""Run every chapter as a reader would, store its outputs, and find outputs that are stale.

    python tools/notebooks.py            run all chapters and write their outputs
    python tools/notebooks.py 04         only the chapters whose name starts with 04
    python tools/notebooks.py --check    run them and compare with what is stored; write nothing

A chapter runs in a fresh kernel, in an empty working directory. It is stored with a stamp: the
hash of its cells, of each package module that it imported and of each data file that it read.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = ROOT / "notebooks"
STAMP = "osfhelpers"
TIMEOUT_S = 600

# Run before and after the chapter, and not stored: they note which files the chapter rests on,
# and stop it from reaching for anything outside this machine.
BEFORE = """
import sys as _sys
_opened = set()
def _watch(event, args):
    if event == "open":
        _opened.add(str(args[0]))
    if event == "socket.getaddrinfo" and str(args[0]) not in ("localhost", "127.0.0.1", "::1"):
        raise PermissionError(f"a chapter runs offline, and this one looked for {args[0]!r}")
_sys.addaudithook(_watch)
"""
AFTER = """
import json as _json
from osfhelpers.engine.data import CHECKSUMS as _sums, data_path as _data_path
_modules = [m.__file__ for n, m in list(_sys.modules.items()) if n.split(".")[0] == "osfhelpers"]
_data = [p for p in _opened if p.startswith(str(_data_path())) and not p.endswith(_sums)]
print(_json.dumps(sorted(filter(None, _modules + _data))))
"""


def chapters(starts: str = "") -> list[Path]:
    """Return the chapters whose file name starts so, in order."""
    return sorted(path for path in CHAPTERS.glob("*.ipynb") if path.name.startswith(starts))


def read(path: Path) -> Any:
    """Read a chapter."""
    return nbformat.read(path, as_version=4)


def execute(path: Path, mode: str = "committed") -> Any:
    """Return the chapter with fresh outputs and a fresh stamp; the file is left alone."""
    notebook = read(path)
    stored = len(notebook.cells)
    notebook.cells = [
        nbformat.v4.new_code_cell(BEFORE),
        *notebook.cells,
        nbformat.v4.new_code_cell(AFTER),
    ]
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=TIMEOUT_S,
            record_timing=False,
            store_widget_state=False,
            kernel_name="python3",
            # Else each kernel warns of its own local connection.
            extra_arguments=["--log-level=ERROR"],
            resources={"metadata": {"path": folder}},
        )
        environment = {**os.environ, "OSFHELPERS_RENDER": mode, "IPYTHONDIR": folder}
        client.execute(env=environment, cleanup_kc=True)
    files = json.loads(notebook.cells[-1].outputs[0].text)
    notebook.cells = notebook.cells[1 : stored + 1]
    for count, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        STAMP: {"cells": cells_hash(notebook), "files": {name: hash_of(name) for name in _names(files)}},
    }
    return notebook


def _names(files: list[str]) -> list[str]:
    return sorted({Path(file).resolve().relative_to(ROOT).as_posix() for file in files})


def hash_of(name: str) -> str:
    """Return a short hash of a file of the project, the same for either kind of line end."""
    path = ROOT / name
    content = path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else b"missing"
    return hashlib.sha256(content).hexdigest()[:16]


def cells_hash(notebook: Any) -> str:
    """Return a short hash of everything in a chapter that a writer typed."""
    typed = json.dumps([[cell.cell_type, cell.source] for cell in notebook.cells])
    return hashlib.sha256(typed.encode()).hexdigest()[:16]


def stale(path: Path) -> list[str]:
    """Return why a chapter's stored outputs are stale; empty when they are not."""
    notebook = read(path)
    stamp = notebook.metadata.get(STAMP)
    if stamp is None:
        return ["it was never run by `make notebooks`"]
    reasons = [f"{name} has changed" for name, stored in stamp["files"].items() if hash_of(name) != stored]
    if stamp["cells"] != cells_hash(notebook):
        reasons.insert(0, "its own cells have changed")
    return reasons


def differences(stored: Any, fresh: Any) -> Iterator[str]:
    """Yield where the stored texts and tables differ from fresh ones; pictures go by the stamp."""
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        if old.cell_type == "code" and _texts(old) != _texts(new):
            yield f"cell {number}: stored {_texts(old)!r:.300}, fresh {_texts(new)!r:.300}"


def _texts(cell: Any) -> list[Any]:
    return [
        output.get("text") or {kind: value for kind, value in output.data.items() if kind != "image/png"}
        for output in cell.outputs
    ]


def main(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    check = "--check" in arguments
    starts = next((argument for argument in arguments if not argument.startswith("-")), "")
    found = 0
    for path in chapters(starts):
        fresh = execute(path)
        if check:
            wrong = [*stale(path), *differences(read(path), fresh)]
            found += len(wrong)
            print(f"{path.name}: {'; '.join(wrong) or 'as stored'}")
        else:
            nbformat.write(fresh, path)
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
