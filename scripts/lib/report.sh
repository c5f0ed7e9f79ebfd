# To be sourced after parts.sh, with $work: what is printed of the parts that ran.

# results NAME... prints a line for each test of these parts, with tabs between: part, class, test, seconds, passed|failed|skipped|
# unsteady, why, and by what it is run again: the module, and its id.
results() {
  local name report
  for name; do
    for report in "$work/$name"/reports/*/TEST-*.xml; do
      [ ! -s "$report" ] || awk -v part="$name" -v module="$(cat "${report%/*}/module")" -v unsteady="${report%/*}/unsteady" \
        -f "$root/scripts/lib/results.awk" "$report"
    done
  done
}

# tell NAME prints a line of a part that has ended, with its unsteady tests, which count as passed, and with its last words if it is red.
# What has no tests counts as one.
tell() {
  local part=$work/$1 wall user system all counts
  read -r wall user system < <(tail -n 1 "$part/times")
  all=$(results "$1")
  awk -F '\t' '$5 == "unsteady" {sub(/[([].*/, "", $3); print "UNSTEADY " $2 "#" $3 ": " $6}' <<<"$all" >"$part/unsteady"
  counts=$(awk -F '\t' 'NF {n[$5]++; any = 1} END {if (any) print n["passed"] + n["unsteady"], n["failed"] + 0, n["skipped"] + 0}' <<<"$all")
  [ -n "$counts" ] || counts="$([ "$(cat "$part/status")" = 0 ] && echo "1 0" || echo "0 1") 0"
  echo "$counts" >"$part/counts"
  grep -hE '^(Skipped|To be skipped|Not tested)' "$part/log" | sort -u >"$part/skipped" || true
  {
    # shellcheck disable=SC2086
    printf '%-4s %-12s %5d passed, %d failed, %d skipped, %6.0f s, %5.0f CPU seconds, load %s\n' \
      "$([ "$(cat "$part/status")" = 0 ] && echo ran || echo RED)" "$1" $counts "$wall" "$(awk "BEGIN {print $user + $system}")" "$(load)"
    cat "$part/unsteady"
    [ "$(cat "$part/status")" = 0 ] || tail -n 60 "$part/log" | sed 's/^/     | /'
  } >"$part/told"
  cat "$part/told"
}

load() { cut -d ' ' -f 1 /proc/loadavg; }

# report NAME...: of all parts that ran, which ends with the counts, and if one is red with the first test that failed.
report() {
  local all name
  all=$(results "$@")
  echo "The ten slowest classes:"
  awk -F '\t' '{s[$2] += $4} END {for (class in s) printf "%7.1f s  %s\n", s[class], class}' <<<"$all" | sort -rn | sed -n 1,10p
  awk -F '\t' '$5 == "skipped" {print "Skipped: " $2 "#" $3 ": " $6}' <<<"$all"
  for name; do sed "s/^/$name: /" "$work/$name/skipped"; done
  echo "Load $load_before before, $(load) after. Seen at least a second: $(count jvms) JVMs, $(count services) of them databases of services."
  awk -F '\t' '$5 == "failed"' <<<"$all" >"$work/failed"
  cat "$work/again/said" 2>/dev/null || true
  for name; do cat "$work/$name/unsteady"; done >"$work/unsteady"
  cat "$work/unsteady"
  [ ! -s "$work/unsteady" ] || echo "Unsteady of those that passed: $(wc -l <"$work/unsteady"), see scripts/test --unsteady"
  for name; do cat "$work/$name/counts"; done |
    awk '{passed += $1; failed += $2; skipped += $3} END {printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped}'
  if [ -s "$work/failed" ]; then
    awk -F '\t' 'NR == 1 {print "First failed: " $2 "#" $3 ": " $6}' "$work/failed"
  else
    for name; do [ "$(cat "$work/$name/status")" = 0 ] || { echo "First failed: $name: $(grep . "$work/$name/log" | tail -n 1)" && break; }; done
  fi
}

# watch_processes notes the JVMs that come up on this machine, once a second, until it is ended.
watch_processes() {
  local process name line known=' '
  while :; do
    for process in /proc/[0-9]*; do
      [[ $known != *" $process "* ]] || continue
      name=''
      { read -r name <"$process/comm"; } 2>/dev/null || true
      [ "$name" = java ] || continue
      known+="$process "
      line=$({ tr '\0\n' ' ' <"$process/cmdline"; } 2>/dev/null) || continue
      echo "$line" >>"$work/jvms"
    done
    sleep 1
  done
}

count() {
  case $1 in
    jvms) wc -l <"$work/jvms" ;;
    services) grep -c 'agentsessions\.local\.dynamodb\.' "$work/jvms" ;;
  esac 2>/dev/null || true
}
