"""ragguard.yml has an unknown key or a bad value.

An unknown key would be ignored: `max_dorp: 0.02` gates nothing. Nothing else is checked until the
configuration is sound, for it says what belongs together.

Fails:

```yaml
suites:
  docs:
    dataset: eval/docs.jsonl
    cutofs: [1, 3]
```

Passes:

```yaml
suites:
  docs:
    dataset: eval/docs.jsonl
    cutoffs: [1, 3]
```

To fix: write what the finding says; `docs/configuration.md` has all keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.problem import InvalidConfigError
from ragguard.errors import ConfigError
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.location import Location

CODE, NAME, SEVERITY = "RG901", "bad-configuration", Severity.ERROR
SCOPE = Scope.CONFIGURATION


def check(error: ConfigError) -> Iterator[Finding]:
    """Yield each problem of a configuration that could not be read."""
    if isinstance(error, InvalidConfigError):
        for problem in error.problems:
            yield Finding(problem.message, problem.location, problem.hint)
    else:
        yield Finding(error.message, error.location or Location("ragguard.yml", 1, 1), error.hint)
