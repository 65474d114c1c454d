"""`ragguard lint` as a user calls it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ragguard.render.lint_formats import NAMES, WITH_STATISTICS
from ragguard.resources import examples
from tests.cli.test_main import ragguard
from tests.lint.linting import VERSIONS, write

ROW = {"query_id": "q1", "query": "opening hours", "relevant_ids": ["c1"]}
CONFIG = "version: 1\nsuites:\n  docs:\n    dataset: eval/*.jsonl\n    corpus: corpus.jsonl\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of one clean suite."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "eval/docs.jsonl": [ROW],
            "eval/docs.meta.json": VERSIONS,
            "corpus.jsonl": [{"id": "c1"}],
            "log.jsonl": [{"level": "info"}],
        },
    )
    return tmp_path


def test_the_example_is_clean_and_one_misspelt_label_is_found(tmp_path: Path) -> None:
    """Exit 0; then exit 1 with file, line, column and the nearest id."""
    shutil.copytree(examples(), tmp_path / "examples")
    shown = ragguard("lint", "examples/", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    path = tmp_path / "examples/eval/docs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    column = lines[1].index('"draft-window"') + 1
    lines[1] = lines[1].replace("draft-window", "draft-windwo")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = ragguard("lint", "examples/", cwd=tmp_path)
    assert shown.returncode == 1
    told, excerpt, carets, hint = shown.stdout.splitlines()[:4]
    assert told == (
        f"examples/eval/docs.jsonl:2:{column}: RG301 'draft-windwo' "
        "is not in examples/corpus/manifest.jsonl"
    )
    assert excerpt.index('"draft-windwo"') == carets.index("^" * len('"draft-windwo"'))
    assert hint == "  hint: did you mean 'draft-window'?"


@pytest.mark.parametrize("form", NAMES)
@pytest.mark.parametrize(
    ("rows", "options", "code"),
    [
        ([ROW], [], 0),
        ([ROW], ["--strict"], 0),
        ([ROW, {}], [], 1),
        ([ROW, {}], ["--exit-zero"], 0),
        (json.dumps(ROW), [], 0),
        (json.dumps(ROW), ["--strict"], 1),
        ("", [], 2),
        ("", ["--exit-zero"], 2),
    ],
)
def test_the_exit_code_is_the_same_in_each_form(
    rows: object, options: list[str], code: int, form: str, project: Path
) -> None:
    """Errors 1, warnings with --strict, what cannot be read 2, whatever is asked."""
    write(project, {"eval/docs.jsonl": rows})  # type: ignore[dict-item]
    shown = ragguard("lint", "--format", form, *options, cwd=project)
    assert shown.returncode == code
    assert "Traceback" not in shown.stderr
    assert code != 2 or "error: eval/docs.jsonl: the dataset is empty" in shown.stderr


def test_json_is_pure_and_complete(project: Path) -> None:
    """Nothing but the object on stdout; notes and faults go to stderr."""
    write(project, {"eval/docs.jsonl": [ROW | {"relevant_ids": ["C1"]}]})
    decoded = json.loads(ragguard("lint", "--format", "json", cwd=project).stdout)
    assert decoded["summary"] == {
        "files": 1,
        "rows": 1,
        "errors": 1,
        "warnings": 0,
        "fixable": 0,
        "ignored": 0,
    }
    (found,) = decoded["diagnostics"]
    assert (found["code"], found["file"], found["line"]) == ("RG301", "eval/docs.jsonl", 1)
    assert found["query_id"] == "q1"


def test_files_of_no_suite_are_skipped_silently(project: Path) -> None:
    """A `.jsonl` is often a log."""
    shown = ragguard("lint", "log.jsonl", cwd=project)
    assert (shown.returncode, shown.stdout) == (0, "Clean: 0 rows in 0 files.\n")
    assert shown.stderr == ""


@pytest.mark.parametrize("path", ["eval/docs.jsonl", "corpus.jsonl", "eval", "eval/docs.meta.json"])
def test_a_suite_is_linted_whole_whichever_of_its_files_is_named(path: str, project: Path) -> None:
    """The twin in another file is found."""
    write(project, {"eval/more.jsonl": [ROW], "eval/more.meta.json": VERSIONS})
    shown = ragguard("lint", path, cwd=project)
    assert shown.returncode == 1
    assert "eval/more.jsonl:1:14: RG201" in shown.stdout


def test_paths_are_shown_from_the_working_directory(project: Path) -> None:
    """A configuration further up is found; its paths are relative to it."""
    write(project, {"eval/docs.jsonl": [{}]})
    shown = ragguard("lint", cwd=project / "eval")
    assert shown.stdout.startswith("docs.jsonl:1:1: RG101 ")


def test_a_file_without_configuration_is_linted_alone(tmp_path: Path) -> None:
    """With --corpus labels are looked up; without, that is noted."""
    (tmp_path / ".git").mkdir()
    write(tmp_path, {"a.jsonl": [ROW], "a.meta.json": VERSIONS, "m.txt": "c2\n"})
    shown = ragguard("lint", "a.jsonl", cwd=tmp_path)
    assert shown.returncode == 0
    assert shown.stderr.startswith("note: a.jsonl has no corpus: RG301, RG30")
    assert shown.stderr.endswith(" RG403 skipped\n")
    shown = ragguard("lint", "a.jsonl", "--corpus", "m.txt", cwd=tmp_path)
    assert shown.returncode == 1
    assert "RG301 'c1' is not in m.txt" in shown.stdout


def test_a_folder_without_configuration_gives_its_datasets(tmp_path: Path) -> None:
    """Manifests and logs below it are left out; a folder without any is an error."""
    (tmp_path / ".git").mkdir()
    write(tmp_path, {"d/a.jsonl": [{"query": "x"}], "d/log.jsonl": [{"level": 1}], "e/x.txt": "x"})
    shown = ragguard("lint", "d", cwd=tmp_path)
    assert shown.returncode == 1
    assert {line.split(":")[0] for line in shown.stdout.splitlines() if "RG" in line} == {
        "d/a.jsonl"
    }
    shown = ragguard("lint", "e", cwd=tmp_path)
    assert shown.returncode == 2
    assert "nothing to lint in e" in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone.jsonl"], "gone.jsonl does not exist"),
        (["--corpus", "gone.jsonl"], "the manifest gone.jsonl does not exist"),
        (["x" * 300], "does not exist"),
        (["--corpus", "x" * 300], "does not exist"),
        (["--config", "gone.yml"], "cannot read the configuration"),
        (["--select", "RG999"], "no lint rule matches 'RG999'"),
        (["--ignore", "X"], "no lint rule matches 'X'"),
    ],
)
def test_what_cannot_be_acted_on_exits_2(arguments: list[str], message: str, project: Path) -> None:
    """Named, with the way out."""
    shown = ragguard("lint", *arguments, cwd=project)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "hint:" in shown.stderr


def test_no_configuration_at_all_exits_2(tmp_path: Path) -> None:
    """It says where it looked."""
    (tmp_path / ".git").mkdir()
    shown = ragguard("lint", cwd=tmp_path)
    assert shown.returncode == 2
    assert "no ragguard.yml found" in shown.stderr


def test_a_faulty_configuration_is_a_finding(project: Path) -> None:
    """With its line and column and the nearest key; bad YAML too."""
    write(project, {"ragguard.yml": CONFIG + "    cutofs: [1]\n"})
    shown = ragguard("lint", cwd=project)
    assert shown.returncode == 1
    assert shown.stdout.startswith("ragguard.yml:6:5: RG901 unknown key 'cutofs'")
    assert "did you mean 'cutoffs'?" in shown.stdout
    write(project, {"ragguard.yml": "version: [\n"})
    shown = ragguard("lint", cwd=project)
    assert shown.returncode == 1
    assert shown.stdout.startswith("ragguard.yml:2:1: RG901 not valid YAML")


def test_rules_are_selected_at_the_command_line_and_in_the_configuration(project: Path) -> None:
    """Commas and repetition; the configuration's own settings and ignores per file."""
    write(project, {"eval/docs.jsonl": [{"query": " "}]})
    shown = ragguard("lint", "--select", "RG1,RG2", "--ignore", "rg101", cwd=project)
    assert [line.split()[1] for line in shown.stdout.splitlines() if ": RG" in line] == [
        "RG104",
        "RG105",
    ]
    settings = "lint: {ignore: [RG101], per_file_ignores: {'eval/*': [RG104]}}\n"
    write(project, {"ragguard.yml": CONFIG + settings})
    shown = ragguard("lint", cwd=project)
    assert [line.split()[1] for line in shown.stdout.splitlines() if ": RG" in line] == ["RG105"]


def test_fixing_mends_the_file_and_reports_the_rest(project: Path) -> None:
    """A second run changes nothing; the mode of the file is kept."""
    path = project / "eval/docs.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"query_id": 1, "query": "x", "relevant_ids": ["c1"]}\r\n\r\n{}')
    path.chmod(0o640)
    before = path.read_bytes()
    shown = ragguard("lint", "--diff", cwd=project)
    assert shown.returncode == 1
    assert '+{"query_id": "1", "query": "x", "relevant_ids": ["c1"]}' in shown.stdout
    assert path.read_bytes() == before
    shown = ragguard("lint", "--fix", cwd=project)
    assert shown.returncode == 1
    assert shown.stderr == "fixed 4 findings in eval/docs.jsonl\n"
    assert "RG101" in shown.stdout
    assert "RG111" not in shown.stdout
    after = b'{"query_id": "1", "query": "x", "relevant_ids": ["c1"]}\r\n{}\r\n'
    assert path.read_bytes() == after
    assert path.stat().st_mode & 0o777 == 0o640
    assert ragguard("lint", "--fix", cwd=project).stderr == ""
    assert path.read_bytes() == after
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".")] == []


def test_only_selected_rules_are_fixed(project: Path) -> None:
    """What is ignored stays."""
    path = project / "eval/docs.jsonl"
    path.write_bytes(json.dumps(ROW | {"query_id": 1}).encode())
    ragguard("lint", "--fix", "--select", "RG004", cwd=project)
    assert path.read_bytes() == json.dumps(ROW | {"query_id": 1}).encode() + b"\n"


def test_colour_is_for_terminals(project: Path) -> None:
    """None into a pipe; FORCE_COLOR asks; NO_COLOR wins."""
    write(project, {"eval/docs.jsonl": [{}]})
    assert "\x1b[" not in ragguard("lint", cwd=project, FORCE_COLOR="", NO_COLOR="").stdout
    assert "\x1b[" in ragguard("lint", cwd=project, FORCE_COLOR="1", NO_COLOR="").stdout
    assert "\x1b[" not in ragguard("lint", cwd=project, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_statistics_count_by_rule(project: Path) -> None:
    """Instead of the list."""
    write(project, {"eval/docs.jsonl": [{}, {}]})
    shown = ragguard("lint", "--statistics", cwd=project)
    assert shown.stdout.splitlines()[0] == "     4  RG101  missing-field"


def test_what_is_ignored_for_a_file_is_not_fixed_in_it(project: Path) -> None:
    """Neither at once nor because another fix makes a second look necessary."""
    settings = "lint: {per_file_ignores: {'eval/*': [RG111]}}\n"
    row = json.dumps(ROW | {"query_id": 1})
    write(project, {"ragguard.yml": CONFIG + settings, "eval/docs.jsonl": row})
    shown = ragguard("lint", "--fix", cwd=project)
    assert (shown.returncode, shown.stderr) == (0, "fixed 1 finding in eval/docs.jsonl\n")
    assert (project / "eval/docs.jsonl").read_text() == row + "\n"


@pytest.mark.parametrize("option", ["--output-file", "--output"])
def test_findings_go_to_a_file(option: str, project: Path) -> None:
    """Without colours whatever is asked for; the exit code is the same; stdout stays empty."""
    write(project, {"eval/docs.jsonl": [{}]})
    for form in NAMES:
        printed = ragguard("lint", "--format", form, cwd=project)
        shown = ragguard("lint", "--format", form, option, "out", cwd=project, FORCE_COLOR="1")
        assert (shown.returncode, shown.stdout) == (1, "")
        assert (project / "out").read_text(encoding="utf-8") == printed.stdout
    shown = ragguard("lint", option, "gone/out", cwd=project)
    assert shown.returncode == 2
    assert "cannot write gone/out" in shown.stderr


def test_the_difference_goes_to_a_file_too(project: Path) -> None:
    """A patch that `patch` takes."""
    write(project, {"eval/docs.jsonl": [ROW | {"query_id": 1}]})
    printed = ragguard("lint", "--diff", cwd=project)
    shown = ragguard("lint", "--diff", "--output-file", "out.patch", cwd=project)
    assert shown.stdout == ""
    assert printed.stdout.startswith("--- eval/docs.jsonl\n")
    assert (project / "out.patch").read_text(encoding="utf-8") == printed.stdout


@pytest.mark.parametrize("form", [name for name in NAMES if name not in WITH_STATISTICS])
def test_statistics_have_no_form_for_services(form: str, project: Path) -> None:
    """Refused, with the forms that have them; never a report without findings."""
    shown = ragguard("lint", "--statistics", "--format", form, cwd=project)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert f"--statistics has no form {form}" in shown.stderr
    assert "hint: use --format text" in shown.stderr


def test_after_fixing_the_excerpts_are_of_the_fixed_file(project: Path) -> None:
    """The place of what is left, in the line as it stands now."""
    row = {"query_id": 1, "query": "opening hours", "relevant_ids": ["C1"]}
    write(project, {"eval/docs.jsonl": [row]})
    told, excerpt, carets, *_ = ragguard("lint", "--fix", cwd=project).stdout.splitlines()
    assert "RG301" in told
    assert excerpt.startswith('  1 | {"query_id": "1", ')
    assert excerpt.index('"C1"') == carets.index("^^^^")


def test_services_are_told_paths_from_the_root_of_the_repository(project: Path) -> None:
    """Wherever in it the command runs."""
    write(project, {"eval/docs.jsonl": [{}]})
    folder = project / "eval"
    assert "file=eval/docs.jsonl," in ragguard("lint", "--format=github", cwd=folder).stdout
    for form in ("sarif", "gitlab"):
        shown = ragguard("lint", "--format", form, cwd=folder).stdout
        assert '"eval/docs.jsonl"' in shown
        assert '"docs.jsonl"' not in shown


@pytest.mark.parametrize(
    "name",
    ["eval/docs.jsonl", "eval/docs.meta.json", "corpus.jsonl", "ragguard.yml", "link"],
)
def test_findings_never_take_the_place_of_what_is_linted(name: str, project: Path) -> None:
    """`--output-file` that names an input, also by a link, is refused; nothing is lost."""
    (project / "link").symlink_to("eval/docs.jsonl")
    before = (project / name).read_bytes()
    shown = ragguard("lint", "--format", "json", "--output-file", name, cwd=project)
    assert shown.returncode == 2
    assert f"--output-file {name} is a file that is linted" in shown.stderr
    assert (project / name).read_bytes() == before
