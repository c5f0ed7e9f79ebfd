# To be sourced: a service of scripts/start as a new user has it, in a folder of its own ($work), and the session it prints.
work=$(mktemp -d)
port=$((10000 + $$ % 20000)) # below those that systems give to whoever asks for any
trap 'stop; rm -rf "$work"' EXIT

# start [SCRIPTS/START ARGUMENT...]. In the background of a script a command is deaf to INT, and so would be all that it starts.
start() {
  : >"$work/out"
  ./scripts/start --port "$port" --data "$work/data" "$@" >"$work/out" 2>"$work/log" &
  service=$!
  await_start
}

await_start() {
  local began=$SECONDS
  until grep -q '^  BASE=' "$work/out"; do
    kill -0 "$service" 2>/dev/null || fail "The service did not start."
    sleep 0.2 # as long as it builds
  done
  echo "Started in $((SECONDS - began)) s. $(grep '^Isolation' "$work/out" | tr -d '\r')"
}

stop() {
  kill -TERM "${service:-}" 2>/dev/null || return 0
  wait "$service" || true
}

fail() {
  echo "$1" >&2
  tail -n 60 "$work/session" "$work/out" "$work/log" >&2 || true
  exit 1
}

# await COMMAND...: for three minutes.
await() {
  local _
  for _ in {1..900}; do
    ! "$@" || return 0
    sleep 0.2
  done
  fail "In vain: $*"
}

# paste SHELL ARGUMENT... runs what the start has printed as that shell takes it from a terminal.
paste() {
  command -v "$1" >/dev/null || { echo "Skipped: the session in $1, which is not installed" && return; }
  grep '^  ' "$work/out" | timeout 240 "$@" >"$work/session" 2>&1 || fail "The session ended with $?."
  expect 'Hello from /'
  expect '"status":"interrupted"'
  expect '# Plan B'
  if grep 'command not found\|syntax error\|parse error' "$work/session"; then fail "Not a clean session."; fi
  echo "The session it printed works in: $*"
}

expect() {
  grep -qF -- "$1" "$work/session" || fail "Not there: $1"
}

chat() {
  ./scripts/chat --json --data "$work/data" --agent shell "$@"
}
