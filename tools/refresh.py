"""Write what is generated: checksums of the data, the README's tables, two pictures.

python tools/refresh.py            write
python tools/refresh.py --check    say what is out of date; write nothing
"""

import base64
import re
import sys
from pathlib import Path

import house_picture
import nbformat
import run_times

from osfhelpers.engine.data import digest
from osfhelpers.measuring.damage import experiments

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
WORDS_PER_MINUTE, MINUTES_PER_FIGURE, MINUTES_PER_EXERCISE = 200, 1, 2


def data_files() -> list[str]:
    """Return the data files that carry a checksum, in order."""
    names = (path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file())
    return sorted(name for name in names if name not in {"SHA256SUMS", "README.md"})


def checksums() -> str:
    """Return the content of SHA256SUMS."""
    return "".join(f"{digest(DATA / name)}  {name}\n" for name in data_files())


def data_table(text: str) -> str:
    """Return data/README.md with its table of files written anew; the descriptions stay."""
    told = dict(re.findall(r"^\| `([^`]+)` \| (.*) \| `[0-9a-f]{64}` \|$", text, re.MULTILINE))
    rows = [f"| `{name}` | {told.get(name, 'TODO')} | `{digest(DATA / name)}` |" for name in data_files()]
    table = "\n".join(["| file | what | SHA-256 |", "|---|---|---|", *rows])
    return between(text, "files", table)


def chapter_table(text: str) -> str:
    """Return the README with its table of chapters written anew."""
    rows = []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
        title = prose[0].splitlines()[0].removeprefix("# ")
        rows.append(
            f"| [{title}](notebooks/{path.name}) | {question(path.name[:2], prose)} | {minutes(cells)} |"
        )
    table = "\n".join(["| chapter | its question | minutes |", "|---|---|---|", *rows])
    return between(text, "chapters", table)


def speed_table(text: str) -> str:
    """Return the README with its table of speed written anew from the last measurement."""
    return between(text, "speed", run_times.short_table(run_times.measured()))


def question(number: str, prose: list[str]) -> str:
    """Return the question of a chapter: its experiment's, or the line of its opening in italics."""
    for experiment in experiments():
        if number == experiment.CHAPTER and hasattr(experiment, "ledger_row"):
            return experiment.__doc__.splitlines()[0]
    found = re.search(r"^\*(.+\?)\*$", prose[0], re.MULTILINE)
    return found.group(1) if found else ""


def picture() -> bytes:
    """Return the README's picture: the first figure of chapter 04 that stands in its stored outputs."""
    [path] = (ROOT / "notebooks").glob("04_*.ipynb")
    for cell in nbformat.read(path, as_version=4).cells:
        if "show(result)" in cell.source:
            return base64.b64decode(cell.outputs[0].data["image/png"])
    raise LookupError("chapter 04 has no cell that shows its result")


def minutes(cells: list) -> int:
    """Return how long a chapter takes to read: its words, its figures and its exercises."""
    words = sum(len(cell.source.split()) for cell in cells if cell.cell_type == "markdown")
    code = [cell for cell in cells if cell.cell_type == "code"]
    figures = sum(any("image/png" in output.get("data", {}) for output in cell.outputs) for cell in code)
    exercises = sum(".check(" in cell.source for cell in code)
    return round(words / WORDS_PER_MINUTE + MINUTES_PER_FIGURE * figures + MINUTES_PER_EXERCISE * exercises)


def between(text: str, name: str, content: str) -> str:
    """Replace what stands between a pair of markers.

    Raises:
        LookupError: the text has no such markers.
    """
    start, end = f"<!-- {name}: generated -->", f"<!-- {name}: end -->"
    if start not in text or end not in text:
        raise LookupError(f"no {start} with its end")
    before, _, rest = text.partition(start)
    return f"{before}{start}\n{content}\n{end}{rest.partition(end)[2]}"


def main(arguments: list[str]) -> int:
    """Write or check the generated parts; return the exit status."""
    check = "--check" in arguments
    readme, about_data = ROOT / "README.md", DATA / "README.md"
    house = ROOT / "docs" / "architecture.md"
    wanted = {
        DATA / "SHA256SUMS": checksums().encode(),
        about_data: data_table(about_data.read_text(encoding="utf-8")).encode(),
        readme: speed_table(chapter_table(readme.read_text(encoding="utf-8"))).encode(),
        ROOT / "docs" / "_static" / "retries.png": picture(),
        ROOT / "docs" / "_static" / "house.svg": house_picture.svg(
            house.read_text(encoding="utf-8")
        ).encode(),
    }
    old = [path for path, content in wanted.items() if not path.exists() or path.read_bytes() != content]
    for path in old:
        name = path.relative_to(ROOT).as_posix()
        print(f"{name} is out of date, run: python tools/refresh.py" if check else f"{name} written")
        if not check:
            path.write_bytes(wanted[path])
    return 1 if old and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
