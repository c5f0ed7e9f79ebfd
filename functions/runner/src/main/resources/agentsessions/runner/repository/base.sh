#!/usr/bin/env bash
# base.sh URL BASE FOLDER COPIES: fetches the commit BASE with its files, and nothing before it, to the new git folder FOLDER. Where that
# ends the history is left in COPIES.
set -euo pipefail
url=$1 base=$2 folder=$3 copies=$4
format=sha1
[ ${#base} != 64 ] || format=sha256
git init -q --bare --template= --object-format="$format" -- "$folder"
[ -z "$base" ] || GIT_DIR=$folder git fetch -q --no-tags --no-write-fetch-head --depth 1 "$url" "$base"
[ ! -f "$folder/shallow" ] || cp -- "$folder/shallow" "$copies/shallow"
