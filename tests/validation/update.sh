#!/bin/sh
# Predicts all rows of the reference sets and writes predictions/ and errors.csv, then the page that shows the errors.
# Takes minutes. Read the change of errors.csv, and change budget.json and RESULTS.md where they say otherwise.
# usage: update.sh BUILD_DIR [GTEST_FILTER]
set -eu
build=${1:?usage: update.sh BUILD_DIR [GTEST_FILTER]}
cmake --build "$build" --target test_validation
WARPIPE_UPDATE_PREDICTIONS=1 "$build/bin/test_validation" --gtest_filter="${2:-PredictedRows*:Reference/PredictedRows*:PredictedErrors*}"
"$(dirname "$0")/../../latency_tables/devices_page.py"
