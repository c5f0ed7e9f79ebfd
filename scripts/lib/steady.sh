# To be sourced after one.sh, parts.sh and unsteady.sh: the list of unsteady tests, and how a test comes off it.

# list_unsteady prints a line for each.
list_unsteady() {
  local file commit day part why
  for file in "$listed"/*#*; do
    [ -e "$file" ] || { echo "No test is listed as unsteady." && return; }
    IFS=$'\t' read -r commit day part _ why < <(runs_of "${file##*/}" | tail -n 1)
    echo "UNSTEADY ${file##*/}: $why (runs: $(runs_of "${file##*/}" | wc -l), the last: $commit, $day, $part)"
  done
}

# steady CLASS#METHOD [RUNS]: runs it twenty times, in an hour at most, while two loops keep the machine busy. If it passes each time, it
# comes off the list, once a commit says why it was unsteady.
steady() {
  local test=${1:-} runs=${2:-20} files file name module reports passed=0 began run quick=
  [[ $test == ?*'#'?* ]] || misunderstood "--steady needs a test, as CLASS#METHOD"
  mapfile -t files < <(files_of "${test%%[\$#]*}#${test#*#}[(]")
  [ ${#files[@]} = 1 ] || misunderstood "there is no test $test, or more than one"
  file=${files[0]} module=${files[0]%%/src/*} name=${test%%#*}
  name=$(class_in "$file" | sed 's/[^.]*$//')${name##*.}#${test#*#}
  build_tests "$module"
  began=$SECONDS
  for _ in 1 2; do while kill -0 $$ 2>/dev/null; do :; done & done
  for ((run = 1; run <= runs && SECONDS - began < 3600; run++)); do
    reports=$(mktemp -d)
    if has_passed; then
      passed=$((passed + 1))
      rm -rf "$reports"
    else
      echo "Run $run has not passed: $reports/log"
    fi
  done
  echo "$passed of $runs runs passed, in $((SECONDS - began)) s: $name"
  [ "$passed" = "$runs" ] && take_off "$name"
}

# As in a part of the proof.
has_passed() {
  reports=$reports quick=$quick in_time bash -euo pipefail -c '. scripts/lib/commands.sh; junit "$@"' junit "$module" \
    --select-class "${name%#*}" --include-methodname "${name//\$/\\\$}" >"$reports/log" 2>&1 </dev/null &&
    all_passed "$reports"/*/
}

take_off() {
  [ -e "$listed/$1" ] || { echo "It is not listed as unsteady." && return; }
  if [ -n "$(git status --porcelain)" ]; then
    echo "It stays listed: what was shown is not committed."
  elif ! git log -1 --format=%b | says_cause "$1"; then
    echo "It stays listed: the body of the last commit has no line 'Unsteady: ${1##*.}: CAUSE'."
  else
    rm "$listed/$1"
    echo "It is no longer listed."
    return
  fi
  return 1
}

# says_cause NAME, of the text it is given; the class may be without its package.
says_cause() {
  awk -v whole="$1" -v short="${1##*.}" '
    $1 == "Unsteady:" && ($2 == whole ":" || $2 == short ":") && NF > 2 { found = 1 }
    END { exit !found }'
}
