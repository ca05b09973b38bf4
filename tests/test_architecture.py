"""The picture of the house in docs/architecture.md is the code's own."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "osfhelpers"


def rows() -> dict[str, int]:
    """Read which row each module or folder stands in from the table of the architecture page."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = {}
    for row, modules in re.findall(r"^\| (\d) \| (.*?) \|", text, re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", modules):
            found[name] = int(row)
    return found


def place(path: Path) -> str:
    """Return the name under which a module stands in the table: its folder, or itself at the top."""
    parts = path.relative_to(PACKAGE).parts
    return f"{parts[0]}/" if len(parts) > 1 else path.stem


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a module imports, at any depth of its code."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "osfhelpers":
            # `from osfhelpers.models import handles` names a module, `from osfhelpers.models.handles
            # import write_by` a part of one.
            whole = len(node.module.split(".")) < 3
            names |= {f"{node.module}.{alias.name}" for alias in node.names} if whole else {node.module}
    return names


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"]


def test_every_module_stands_in_the_table_and_the_table_names_no_other():
    assert {place(path) for path in modules()} == set(rows())


def test_a_module_imports_only_from_its_own_row_and_the_rows_above():
    table = rows()
    for path in modules():
        for name in imports(path):
            parts = name.split(".")
            target = f"{parts[1]}/" if f"{parts[1]}/" in table else parts[1]
            assert table[target] <= table[place(path)], f"{path.name} imports {name}"


def test_experiments_never_import_each_other():
    for path in (PACKAGE / "experiments").glob("*.py"):
        assert not [name for name in imports(path) if name.startswith("osfhelpers.experiments")], path.name


def test_imports_are_absolute_and_nothing_is_set_globally():
    for path in modules():
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            assert not (isinstance(node, ast.ImportFrom) and node.level), path.name
        assert not re.search(r"^(np\.random\.seed|random\.seed|matplotlib\.rcParams)", source, re.MULTILINE)
        assert "pyplot" not in re.sub(r'""".*?"""|#.*', "", source, flags=re.DOTALL), path.name


def test_each_module_opens_by_saying_what_it_is_for():
    for path in modules():
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()
        assert first, path.name
        assert first[0][0].isupper(), path.name


def test_only_the_wire_may_import_the_protocol_sdk():
    for path in modules():
        assert place(path) == "wire/" or not re.search(
            r"^\s*(import|from) mcp\b", path.read_text(encoding="utf-8"), re.MULTILINE
        )
