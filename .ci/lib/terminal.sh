# To be sourced after service.sh: the same in a terminal, in which keys are pressed.

# Its screen is $work/out. What a script has in its background is deaf to INT, unless told otherwise.
open_terminal() {
  mkfifo "$work/keys"
  : >"$work/out"
  TERM=dumb env --default-signal=INT,QUIT script -aqefc "PS1='$ ' exec bash --norc -i" "$work/out" <"$work/keys" >/dev/null 2>"$work/log" &
  service=$!
  exec 7>"$work/keys"
  await is_prompted
}

# press KEYS: \n is Enter, \003 is Ctrl-C. The screen begins anew.
press() {
  : >"$work/out"
  printf '%b' "$1" >&7
}

is_prompted() {
  [ "$(tail -n 1 "$work/out")" = '$ ' ]
}

is_on_screen() {
  grep -qF -- "$1" "$work/out"
}

# Ctrl-C, once or more: one word of the service, and the prompt.
stop_by_keys() {
  press "$1"
  await is_prompted
  if [ "$(tr -d '\r^C' <"$work/out")" != $'Stopped.\n$ ' ]; then fail "More or less than a word."; fi
  # shellcheck disable=SC2016
  press 'echo Status $?\n'
  await is_on_screen 'Status 130'
}
