# To be sourced by junit.sh: tests that failed and then pass, twice in a row, alone and where they failed. With $lenient, which only CI
# exports, they do not make a run red. They are listed for this user: a file a test, with a line for each run that listed it (commit, day,
# part, module, message) and below them the end of the last log.

listed=${XDG_CACHE_HOME:-$HOME/.cache}/agent-sessions/unsteady

# run_again REPORT MODULE ARGUMENT...: each test that failed in this run of junit, alone. Succeeds if all that failed is unsteady, and
# leaves the ids of these tests in REPORT/unsteady.
run_again() {
  local report=$1 module=$2 may=yes argument configs=() failed test class method why id tests=()
  for argument in "${@:3}"; do [[ $argument != --config=* ]] || configs+=("$argument"); done
  mapfile -t failed < <(outcomes "$report" | awk -F '\t' '$5 == "failed"')
  [ -n "${lenient:-}" ] && [ -z "${strict:-}" ] && only_tests_failed "$report" ${#failed[@]} || may=''
  for test in "${failed[@]}"; do
    IFS=$'\t' read -r _ class method _ _ why _ id <<<"$test"
    test=$class#${method%%[([]*}$'\t'$why$'\t'$id # without what its parameters were
    if take_place "${test%%$'\t'*}"; then tests+=("$test"); else may=''; fi
    if [ -n "$may" ] && is_new "$class"; then
      may=''
      echo "It must be steady, since its file was not committed twelve hours ago as it is: $class"
    fi
  done
  for test in "${tests[@]}"; do
    try "${test%%$'\t'*}" "${test##*$'\t'}" || may=''
  done
  [ -n "$may" ] && [ ${#tests[@]} -gt 0 ] && enlist "${tests[@]}" && printf '%s\n' "${tests[@]##*$'\t'}" >"$report/unsteady"
}

outcomes() {
  awk -v part=- -v module="$module" -f "$root/scripts/lib/results.awk" "$1"/TEST-*.xml
}

# only_tests_failed REPORT NUMBER: that many. Asks the other report, since that of outcomes blames every test of a class for its @BeforeAll.
only_tests_failed() {
  awk -v number="$2" '
    match($0, / id="[0-9]+"/) { id = substr($0, RSTART, RLENGTH) }
    /^<e:started .*<junit:type>TEST</ { tests[id] }
    /^<e:finished .*<result status="FAILED"/ { if (id in tests) failed++; else others++ }
    END { exit (others > 0 || failed != number) }' "$1/open-test-report.xml"
}

# is_new CLASS: whether its file differs from what is committed, or a commit of the last twelve hours changed it. The oldest commits of a
# shallow clone count as ones that changed every file. So does a file that cannot be found.
is_new() {
  local files now when
  mapfile -t files < <(cd "$root" && find "$module/src" -path "*/java/$(tr . / <<<"${1%%\$*}").java")
  [ ${#files[@]} = 1 ] && [ -z "$(git -C "$root" status --porcelain -- "${files[0]}")" ] || return 0
  now=$(date +%s)
  when=$(git -C "$root" log --format=%ct -- "${files[0]}" | sort -n | tail -n 1)
  [ $((now - ${when:-now})) -lt $((12 * 60 * 60)) ]
}

# take_place NAME: of the three that a run has, of which two parts run at a time. A fourth test that failed finds none, so the run is red.
take_place() {
  echo "$1" >>"$again/taken"
  [ "$(wc -l <"$again/taken")" -le 3 ]
}

# try NAME ID: twice, where it may be unsteady; else once, so that one knows what kind of failure it is.
try() {
  local outcome="it fails again" status=1
  if passes "$2"; then
    outcome="it passes" status=0
    [ -z "$may" ] || passes "$2" || outcome="it passes, then fails again" status=1
  fi
  echo "Run again alone, at load $(cut -d ' ' -f 1 /proc/loadavg), $outcome: $1" | tee -a "$again/said"
  return "$status"
}

passes() {
  rm -rf "$report/alone"
  console "$report/alone" "$module" "${configs[@]}" --select-unique-id "$1" >>"$report/alone.log" 2>&1 </dev/null &&
    all_passed "$report/alone"
}

# One that is skipped has not passed.
all_passed() {
  [ "$(outcomes "$1" | cut -f 5 | sort -u)" = passed ]
}

enlist() {
  mkdir -p "$listed"
  (flock 9 && for test; do enlist_one "$test" || return 1; done) 9<"$listed"
}

# enlist_one TEST: unless two earlier runs did so, or ten are listed. The next one is to be mended, then.
enlist_one() {
  local name why file runs
  IFS=$'\t' read -r name why _ <<<"$1"
  file=$listed/$name
  ! grep -qsxF -e "$name" "$again/listed" || return 0 # by this run
  runs=$(runs_of "$name")
  if [ "$(grep -c . <<<"$runs")" -ge 2 ] || [ "$(find "$listed" -name '*#*' | wc -l)" -ge 10 ]; then
    echo "It must be steady, since two runs have listed it, or ten tests are listed (scripts/test --unsteady): $name"
    return 1
  fi
  {
    [ -z "$runs" ] || echo "$runs"
    echo "$(git -C "$root" rev-parse --short HEAD)"$'\t'"$(date -u +%F)"$'\t'"$(basename "${reports%/reports}")"$'\t'"$module"$'\t'"${why:0:300}"
    echo
    tail -n 100 "${reports%/reports}/log"
  } >"$listed/.new" && mv "$listed/.new" "$file" && echo "$name" >>"$again/listed"
}

# runs_of NAME prints the lines of the runs that listed it.
runs_of() {
  sed '/^$/,$d' "$listed/$1" 2>/dev/null
}
