#!/usr/bin/env bash
# What actions/checkout does to a workspace: init, fetch one commit (or all), check it out.
set -euo pipefail

folder="$GITHUB_WORKSPACE/$FOLDER"
mkdir -p "$folder"
cd "$folder"
git init -q
git remote remove origin 2>/dev/null || true
git remote add origin "$GITHUB_SERVER_URL/$REPOSITORY"

depth=()
if [ "$DEPTH" = 0 ]; then
  git fetch -q --tags origin '+refs/heads/*:refs/remotes/origin/*'
else
  depth=(--no-tags "--depth=$DEPTH")
fi

ref="$REF" commit=""
if [ -z "$ref" ] && [ "$REPOSITORY" = "$GITHUB_REPOSITORY" ]; then
  ref="$GITHUB_REF" commit="$GITHUB_SHA"
fi
case "$ref" in
  refs/heads/*) branch="${ref#refs/heads/}" ;;
  refs/pull/*) branch="" local="refs/remotes/${ref#refs/}" ;;
  *)
    if git ls-remote -q --exit-code origin "refs/heads/$ref" >/dev/null; then
      branch="$ref"
    else
      branch="" local="refs/remotes/checkout" commit="${commit:-$ref}"
    fi
    ;;
esac
if [ -n "$branch" ]; then
  local="refs/remotes/origin/$branch"
fi
git fetch -q "${depth[@]}" origin "+${commit:-refs/heads/$branch}:$local"
if [ -n "$branch" ]; then
  git checkout -q --force -B "$branch" "$local"
else
  git checkout -q --force --detach "$local"
fi
{
  echo "ref=$ref"
  echo "commit=$(git rev-parse HEAD)"
} >>"$GITHUB_OUTPUT"
git log -1 --oneline
