# To be sourced: supervise COMMAND... runs a Java program, and again (with --quiet) when it has crashed: killed, or out of memory, or its
# start was broken off. After a crash any start that fails counts as one more, since what it met may be of the crash. After the fifth in
# a row, with less than a minute between two crashes, it gives up. INT, TERM and HUP are handed to the program. Ends the script with the
# program's status.
. "$(dirname "${BASH_SOURCE[0]}")/apart.sh"

supervise() {
  local began child='' status=0 signals=0 crashes=0 apart=()
  find_apart
  for signal in INT TERM HUP; do
    # shellcheck disable=SC2064
    trap "hand_on $signal" "$signal"
  done
  while :; do
    began=$SECONDS
    run "$@"
    if [ "$signals" -gt 0 ] || ! { has_crashed || has_not_started; }; then exit "$status"; fi
    case $status in 134 | 139) ! declare -F forget_caches >/dev/null || forget_caches ;; esac
    # A start that fails may have taken longer than a minute.
    if has_crashed && [ $((SECONDS - began)) -ge 60 ]; then crashes=1; else crashes=$((crashes + 1)); fi
    if [ "$crashes" -ge 5 ]; then
      echo "Error: the service has ended unexpectedly five times in a row ($(cause)), and is not started again." >&2
      exit "$status"
    fi
    echo "The service has ended unexpectedly ($(cause)) and is started again. Nothing it had accepted is lost." >&2
    run sleep $((1 << (crashes - 1)))
    [ "$signals" = 0 ] || exit "$status"
    [[ " $* " == *" --quiet "* ]] || set -- "$@" --quiet # its address and key have been said
  done
}

# 3: the JVM had no memory left. A JVM that is asked to stop by a signal ends with that signal's status itself.
has_crashed() {
  case $status in
    3) true ;;
    129 | 130 | 143) false ;;
    *) [ "$status" -gt 128 ] ;;
  esac
}

# 75: it may start another time. 1: it refuses to, which is believed only if nothing has crashed before.
has_not_started() {
  [ "$status" = 75 ] || [ "$status:$((crashes > 0))" = 1:1 ]
}

cause() {
  case $status in
    1 | 75) echo "it could not start" ;;
    3) echo "out of memory" ;;
    137) echo "killed" ;;
    *) echo "signal $((status - 128))" ;;
  esac
}
