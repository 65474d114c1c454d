"""Lay a Python with pip into the tool cache, as actions/setup-python would have found it there.

The wanted version is given when it is installed here; else the interpreter that runs this file, and
that is said. Nothing outside the tool cache is touched, so a workflow may install into it at will.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ASK = "import sys; print('.'.join(map(str, sys.version_info[:3])))"


def version(python):
    try:
        asked = subprocess.run([python, "-c", ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return asked.stdout.strip()


def base_interpreter(wanted):
    found = shutil.which(f"python{wanted}") if wanted else None
    if found and version(found):
        return found
    if wanted:
        print(f"stand-in: python {wanted} is not installed here, giving {sys.version.split()[0]}")
    return sys.executable


def add_pip(base, home):
    """pip as files, without the seconds that ensurepip takes; ensurepip where base has none."""
    ask = "import pip, pathlib; print(pathlib.Path(pip.__file__).parent)"
    asked = subprocess.run([base, "-I", "-c", ask], capture_output=True, text=True, check=False)
    if asked.returncode:
        subprocess.run([home / "bin" / "python", "-m", "ensurepip", "--upgrade"], check=True)
        return
    pip = Path(asked.stdout.strip())
    target = next(home.glob("lib/python*/site-packages"))
    for source in (pip, *pip.parent.glob("pip-*.dist-info")):
        shutil.copytree(source, target / source.name)
    script = home / "bin" / "pip"
    script.write_text(f'#!/bin/sh\nexec "{home}/bin/python" -m pip "$@"\n')
    script.chmod(0o755)
    (home / "bin" / "pip3").symlink_to("pip")


def append(variable, line):
    with open(os.environ[variable], "a", encoding="utf-8") as file:
        file.write(line + "\n")


base = base_interpreter(os.environ["WANTED"].strip())
given = version(base)
home = Path(os.environ["RUNNER_TOOL_CACHE"]) / "Python" / given / "x64"
if not home.exists():
    subprocess.run([base, "-m", "venv", "--without-pip", home], check=True)
    add_pip(base, home)
append("GITHUB_OUTPUT", f"python-version={given}")
append("GITHUB_OUTPUT", f"python-path={home}/bin/python")
if os.environ["UPDATE"] == "true":
    append("GITHUB_PATH", f"{home}/bin")
    append("GITHUB_ENV", f"pythonLocation={home}")
print(f"Python {given} at {home}")
