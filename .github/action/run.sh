#!/usr/bin/env bash
# Runs ragguard and keeps its exit code for the last step: a step that fails here could lose the
# outputs and the report.
set -uo pipefail

# -I: neither the working directory nor PYTHONPATH can put modules of the project before ours.
"$RAGGUARD_PYTHON" -I -X utf8 -m ragguard action
code=$?
echo "code=$code" >>"$GITHUB_OUTPUT"
