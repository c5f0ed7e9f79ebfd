# To be sourced: what runs beside this step, and beside others on the machine.

# outlive COMMAND... &: for what goes on after the step that starts it. It is told where its output goes; all else that its caller has
# open it closes, else who reads from that, or waits for a lock on it, would wait until its end.
outlive() {
  local open
  for open in /dev/fd/*; do
    open=${open##*/}
    [ "$open" -le 2 ] || exec {open}>&-
  done
  exec "$@" </dev/null
}

# Prints a port of loopback where nobody listens. It is none of those that the system gives to who asks for any, so it stays free.
free_port() {
  local port
  while port=$((20000 + RANDOM % 10000)) && (exec 9<>/dev/tcp/127.0.0.1/"$port") 2>/dev/null; do :; done
  echo "$port"
}
