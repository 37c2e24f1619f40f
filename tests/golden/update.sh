#!/bin/sh
# Rewrites the golden files from what the program prints now. Read the change with `git diff tests/golden`.
# usage: update.sh BUILD_DIR
set -eu
build=${1:?usage: update.sh BUILD_DIR}
cmake --build "$build" --target warpipe test_views test_cli
WARPIPE_UPDATE_GOLDEN=1
export WARPIPE_UPDATE_GOLDEN
"$build/bin/test_views" --gtest_brief=1
"$build/bin/test_cli" --gtest_brief=1
