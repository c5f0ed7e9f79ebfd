# To be sourced with $root: the parts of the proof, see the file parts beside this one.

# names TIER... prints the names of their parts.
names() {
  awk -F ' *[|] *' -v tiers=" $* " '!/^#/ && index(tiers, " " $2 " ") {print $1}' "$root/scripts/lib/parts"
}

# take NAME sets $tier, $left_out, $usual (seconds) and $command; fails if there is no such part.
take() {
  local line
  line=$(grep -E "^$1 +\|" "$root/scripts/lib/parts") || return 1
  # shellcheck disable=SC2034 # for those who call
  IFS='|' read -r _ tier left_out usual command <<<"$line"
  tier=${tier// /} usual=${usual// /}
}

# prove NAME... runs parts, $lanes at a time, with the $begun that run already, and prints a line of each as it ends. Fails if one does.
prove() {
  local name running=${begun:-0} status=0
  begun=0
  for name; do
    [ "$running" -lt "$lanes" ] || { await_one || status=1; }
    prove_one "$name" &
    running=$((running + 1))
  done
  while [ "$running" -gt 0 ]; do await_one || status=1; done
  return "$status"
}

await_one() {
  running=$((running - 1))
  wait -n
}

# What a part leaves in $work/NAME: its log, reports, times, and its status when it has ended. In $work/again is what parts share of the
# tests that are run again, see unsteady.sh.
prove_one() {
  local part=$work/$1 tier left_out usual command status=0 TIMEFORMAT='%R %U %S'
  take "$1"
  mkdir -p "$part/reports" "$work/again"
  { time reports=$part/reports again=$work/again in_time bash -euo pipefail -c ". scripts/lib/commands.sh; $command
    [ -z \"\${red:-}\" ]" >"$part/log" 2>&1 </dev/null; } 2>"$part/times" || status=$?
  echo "$status" >"$part/status"
  tell "$1"
  [ "$tier:$status" != deep:0 ] || [ -s "$part/unsteady" ] || remember "$1"
  return "$status"
}

# A part that hangs ends red, with all it has started. The longest takes seven minutes here, and on a slow machine twice that.
in_time() {
  timeout --kill-after 20 1500 "$@"
}
