"""Fetch artifacts: of this run from the runner's service, of another run (with a token) by the API."""

import fnmatch
import io
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """The redirect leads to another host, which must not see the token."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Unfollowed, urllib.request.ProxyHandler({}))
ENVIRONMENT = os.environ


def get(url, token=""):
    headers = {"User-Agent": "standin"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        with OPENER.open(urllib.request.Request(url, headers=headers), timeout=30) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        if error.code == 302:
            return get(error.headers["Location"])
        sys.exit(f"::error::Unable to download artifact(s): {error.code} {error.reason}")


def of_this_run():
    query = {"repository": ENVIRONMENT["GITHUB_REPOSITORY"], "run_id": ENVIRONMENT["GITHUB_RUN_ID"]}
    base = f"{ENVIRONMENT['STANDIN_RUNNER_URL']}?{urllib.parse.urlencode(query)}"
    for each in json.loads(get(base)):
        yield each["name"], lambda name=each["name"]: get(f"{base}&{urllib.parse.urlencode({'name': name})}")


def of_another_run(token):
    base = f"{ENVIRONMENT['GITHUB_API_URL']}/repos/{ENVIRONMENT['REPOSITORY']}/actions"
    listed = json.loads(get(f"{base}/runs/{ENVIRONMENT['RUN_ID']}/artifacts?per_page=100", token))
    for each in listed["artifacts"]:
        yield each["name"], lambda id=each["id"]: get(f"{base}/artifacts/{id}/zip", token)


def main():
    token, name, pattern = ENVIRONMENT["TOKEN"], ENVIRONMENT["NAME"], ENVIRONMENT["PATTERN"]
    known = of_another_run(token) if token else of_this_run()
    wanted = [(each, load) for each, load in known if not name or each == name]
    wanted = [(each, load) for each, load in wanted if fnmatch.fnmatch(each, pattern or "*")]
    if name and not wanted:
        sys.exit(f"::error::Unable to download artifact(s): Artifact not found for name: {name}")
    folder = Path(ENVIRONMENT["GITHUB_WORKSPACE"]) / ENVIRONMENT["FOLDER"]
    for each, load in wanted:
        flat = name or ENVIRONMENT["MERGE"] == "true"
        target = folder if flat else folder / each
        target.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(io.BytesIO(load())) as archive:
            archive.extractall(target)
        print(f"Artifact {each} at {target}")
    with open(ENVIRONMENT["GITHUB_OUTPUT"], "a", encoding="utf-8") as output:
        output.write(f"download-path={folder}\n")


main()
