"""A dataset or manifest that ragguard.yml names is not there.

A glob that matches nothing, or a path with a slip in it, is a suite that is never checked. The
finding stands in ragguard.yml.

Fails, when `eval/` has no such file:

```yaml
version: 1
suites:
  docs:
    dataset: eval/dosc*.jsonl
```

Passes:

```yaml
version: 1
suites:
  docs:
    dataset: eval/docs*.jsonl
```

To fix: correct the path, which is relative to ragguard.yml; or remove the suite.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Config
from ragguard.lint.configured_paths import MissingPath, locate_paths
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope

CODE, NAME, SEVERITY = "RG902", "file-not-found", Severity.ERROR
SCOPE = Scope.CONFIGURATION


def check(config: Config, missing: list[MissingPath]) -> Iterator[Finding]:
    """Yield each path of a configuration that nothing matches."""
    for path, location in locate_paths(config, missing):
        what = "no file matches the glob" if path.is_glob else "there is no file"
        yield Finding(
            f"{path.kind} of suite {path.suite!r}: {what} {path.written!r}",
            location,
            "paths are relative to the folder of ragguard.yml",
        )
