"""A comment as GitHub shows it: Markdown to HTML by GitHub's rules, and the page as a picture.

What is missing is installed: the node packages into ``.cache/e2e`` at the project's root, chromium
by apt-get where that is allowed. Where it cannot be had, the test is skipped and says why.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.project import CACHE

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PACKAGE = Path(__file__).with_name("github_markdown")
CHROMIUM_PACKAGES = ("chromium", "fonts-noto-color-emoji", "fonts-dejavu-core")
DESKTOP, PHONE = 900, 390
MERMAID_THEME = {"light": "default", "dark": "dark"}
TIME_LIMIT = 600
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{css}
body {{ margin: 0; padding: 16px; background: var(--bgColor-default, #fff); }}
</style></head>
<body class="markdown-body">{body}</body></html>
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """One view of a rendered comment; ``overflow`` is how many pixels the page is too wide."""

    path: Path
    width: int
    scheme: str
    overflow: int


def render_html(markdown: str, repository: str = "org/repo") -> str:
    """The HTML that GitHub makes of a comment in ``repository``, without the page around.

    Mentions of people and issues are links of class ``user-mention`` and ``issue-link``.
    """
    folder = _installed_package()
    done = subprocess.run(
        ["node", "render.mjs", repository],
        cwd=folder,
        input=markdown,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the Markdown could not be rendered: {done.stderr.strip()}")
    return done.stdout


def page_of(markdown: str, repository: str = "org/repo") -> str:
    """The whole page: the comment's HTML in GitHub's style."""
    css = _installed_package() / "node_modules" / "github-markdown-css" / "github-markdown.css"
    return PAGE.format(css=css.read_text("utf-8"), body=render_html(markdown, repository))


def take_pictures(markdown: str, folder: Path, name: str = "comment") -> list[Picture]:
    """Write ``NAME.html`` and four pictures into ``folder``: desktop and phone, light and dark.

    The pictures are ``NAME-WIDTH-SCHEME.png``, of the whole height; mermaid diagrams are drawn.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"{name}.html"
    page.write_text(page_of(markdown), "utf-8")
    return list(_photographed(page))


def _photographed(page: Path) -> Iterator[Picture]:
    from playwright.sync_api import sync_playwright

    executable = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width in (DESKTOP, PHONE):
                size: ViewportSize = {"width": width, "height": 800}
                view = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=2)
                view.goto(page.as_uri())
                _draw_diagrams(view, scheme)
                overflow = view.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                path = page.with_name(f"{page.stem}-{width}-{scheme}.png")
                view.screenshot(path=path, full_page=True)
                view.close()
                yield Picture(path, width, scheme, overflow)
        browser.close()


def _draw_diagrams(view: Page, scheme: str) -> None:
    """Let mermaid draw the code blocks of that language, as GitHub's page does."""
    view.add_script_tag(path=_installed_package() / "node_modules/mermaid/dist/mermaid.min.js")
    view.evaluate(
        """async (theme) => {
            for (const code of document.querySelectorAll('code.language-mermaid')) {
                const place = document.createElement('div');
                place.className = 'mermaid';
                place.textContent = code.textContent;
                code.closest('pre').replaceWith(place);
            }
            mermaid.initialize({ startOnLoad: false, theme });
            await mermaid.run();
        }""",
        MERMAID_THEME[scheme],
    )


def chromium() -> str:
    """The browser's executable, installed by apt-get when missing; else the test is skipped."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            pytest.skip("chromium is not installed, and only root on Debian can install it here")
        with _alone("chromium"):
            _apt_get("update")
            _apt_get("install", "-y", "--no-install-recommends", *CHROMIUM_PACKAGES)
        found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium could not be installed by apt-get")
    return found


def _apt_get(*arguments: str) -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        ["apt-get", "-q", *arguments], env=quiet, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"apt-get {arguments[0]} failed: {done.stderr.strip()[-300:]}")


def _installed_package() -> Path:
    """A copy of the node package with its dependencies, one for each state of its lock file."""
    if shutil.which("npm") is None:
        pytest.skip("node and npm are not installed, which render the Markdown")
    sources = sorted(file for file in PACKAGE.iterdir() if file.is_file())
    state = hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:12]
    folder = CACHE / f"github_markdown-{state}"
    with _alone("github_markdown"):
        if not (folder / "installed").exists():
            for old in CACHE.glob("github_markdown-*"):
                shutil.rmtree(old, ignore_errors=True)
            shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("node_modules"))
            _npm_ci(folder)
            (folder / "installed").touch()
    return folder


def _npm_ci(folder: Path) -> None:
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    if done.returncode:
        pytest.skip(f"npm ci failed in {folder.name}: {done.stderr.strip()[-300:]}")


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """One installer at a time, over all test processes."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
