#!/usr/bin/env bash
# Finds an interpreter for ragguard and says where its environment will be.
#
# ragguard's own packages stay apart from the project's: the project's interpreter runs the
# retriever, whatever its version; this one runs ragguard.
set -euo pipefail

is_new_enough() {
  "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

found=""
for candidate in ${RAGGUARD_PYTHON:+"$RAGGUARD_PYTHON"} python3 python python3.13 python3.12 python3.11 /usr/bin/python3; do
  if command -v "$candidate" >/dev/null && is_new_enough "$candidate"; then
    found=$(command -v "$candidate")
    break
  fi
  if [ "$candidate" = "${RAGGUARD_PYTHON:-}" ]; then
    echo "::error title=ragguard::input python: '$candidate' is no Python 3.11 or newer"
    exit 2
  fi
done
if [ -z "$found" ]; then
  echo "::error title=ragguard::no Python 3.11 or newer; add actions/setup-python before this step"
  exit 2
fi

pins="$GITHUB_ACTION_PATH/.github/action/requirements.txt"
{
  echo "python=$found"
  echo "wheels=$RUNNER_TEMP/ragguard/wheels"
  echo "environment=$RUNNER_TEMP/ragguard/environment"
  "$found" -I - "$pins" <<'PYTHON'
import hashlib, platform, sys
digest = hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()[:32]
version = ".".join(map(str, sys.version_info[:2]))
print(f"key=ragguard-wheels-{sys.platform}-{platform.machine()}-{version}-{digest}")
PYTHON
} >>"$GITHUB_OUTPUT"
