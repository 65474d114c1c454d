"""Pack the asked files and keep them as an artifact of this run in the loopback GitHub.

As the real action: hidden files stay out unless asked for, names of some characters are refused, an
artifact of the same name is an error, and the root of the archive is the folder that all search
paths share.
"""

import glob
import hashlib
import io
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

FORBIDDEN = '":<>|*?\r\n\\/'


def is_hidden(path, root):
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def below(path):
    return [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]


def found(pattern):
    hits = glob.glob(pattern, recursive=True, include_hidden=True)
    return {file.absolute() for hit in hits for file in below(Path(hit)) if file.is_file()}


def search_path(pattern):
    fixed = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    return Path(fixed if fixed == pattern else os.path.dirname(fixed))


def root_of(paths):
    if len(paths) == 1:
        return paths[0].parent if paths[0].is_file() else paths[0]
    return Path(os.path.commonpath(paths))


def send(archive, **query):
    query |= {"repository": os.environ["GITHUB_REPOSITORY"], "run_id": os.environ["GITHUB_RUN_ID"]}
    url = f"{os.environ['STANDIN_RUNNER_URL']}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, archive, {"User-Agent": "standin"}, method="POST")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as answer:
            return json.load(answer)["id"]
    except urllib.error.HTTPError as error:
        sys.exit(f"::error::Failed to create the artifact: {json.load(error)['message']}")


def main():
    name = os.environ["NAME"]
    if not name or set(name) & set(FORBIDDEN):
        sys.exit(f"::error::The artifact name is not valid: {name}")
    lines = [line.strip() for line in os.environ["PATHS"].splitlines() if line.strip()]
    patterns = [os.path.abspath(line) for line in lines if not line.startswith("!")]
    left_out = [os.path.abspath(line[1:]) for line in lines if line.startswith("!")]
    files = set().union(*map(found, patterns)) - set().union(*map(found, left_out))
    root = root_of([search_path(pattern) for pattern in patterns])
    if os.environ["INCLUDE_HIDDEN"] != "true":
        files = {file for file in files if not is_hidden(file, root)}
    if not files:
        message = f"No files were found with the provided path: {', '.join(lines)}. No artifacts will be uploaded."
        if os.environ["IF_NO_FILES_FOUND"] == "error":
            sys.exit(f"::error::{message}")
        print(f"::warning::{message}" if os.environ["IF_NO_FILES_FOUND"] == "warn" else message)
        return
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files):
            archive.write(file, file.relative_to(root).as_posix())
    made = send(buffer.getvalue(), name=name, overwrite=os.environ["OVERWRITE"])
    page = f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}"
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as output:
        output.write(f"artifact-id={made}\n")
        output.write(f"artifact-url={page}/actions/runs/{os.environ['GITHUB_RUN_ID']}/artifacts/{made}\n")
        output.write(f"artifact-digest={hashlib.sha256(buffer.getvalue()).hexdigest()}\n")
    print(f"Artifact {name}: {len(files)} files, id {made}")


main()
