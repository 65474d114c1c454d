"""The linter: engine, rules, diagnostics, fixes."""
