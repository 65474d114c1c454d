#!/usr/bin/env bash
# Makes ragguard's environment from wheels whose hashes are pinned, fetching those that are missing.
#
# What is restored from the cache is verified like what is downloaded: pip refuses a file whose
# hash is not in requirements.txt. ragguard itself is used from the action's folder.
set -euo pipefail

pins="$GITHUB_ACTION_PATH/.github/action/requirements.txt"
rm -rf "$RAGGUARD_ENVIRONMENT"
"$RAGGUARD_PYTHON" -m venv --without-pip "$RAGGUARD_ENVIRONMENT"
own="$RAGGUARD_ENVIRONMENT/bin/python"
if [ ! -e "$own" ]; then
  own="$RAGGUARD_ENVIRONMENT/Scripts/python.exe"
fi
if "$RAGGUARD_PYTHON" -m pip --version >/dev/null 2>&1; then
  pip=("$RAGGUARD_PYTHON" -m pip --python "$own")
else
  "$own" -m ensurepip >/dev/null
  pip=("$own" -m pip)
fi
pip+=(--disable-pip-version-check --quiet)

fetch() {
  rm -rf "$RAGGUARD_WHEELS"
  mkdir -p "$RAGGUARD_WHEELS"
  "${pip[@]}" download --require-hashes --only-binary :all: --dest "$RAGGUARD_WHEELS" -r "$pins"
}

install() {
  "${pip[@]}" install --require-hashes --no-index --find-links "$RAGGUARD_WHEELS" -r "$pins"
}

if [ "$RAGGUARD_CACHE_HIT" != true ]; then
  fetch
  install
elif ! install; then
  echo "::warning title=ragguard::the cached packages are not the pinned ones; fetching them again"
  fetch
  install
fi

site=$("$own" -I -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$GITHUB_ACTION_PATH" >"$site/ragguard.pth"
echo "python=$own" >>"$GITHUB_OUTPUT"
