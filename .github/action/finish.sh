#!/usr/bin/env bash
# The last step: says what could not be kept, then ends as ragguard did.
set -euo pipefail

if [ "$RAGGUARD_KEPT" = failure ]; then
  echo "::warning title=ragguard::the report could not be kept as artifact $RAGGUARD_ARTIFACT;" \
    "two jobs of one run need two ids (input id)"
fi
exit "${RAGGUARD_CODE:-3}"
