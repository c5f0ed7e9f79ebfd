# To be sourced by supervise.sh, whose variables it uses: runs a program apart from the terminal and from what befalls this script.

# In a session of its own: Ctrl-C reaches the program once, through us, and its children never. It ends when we do, however we end.
# And it is not deaf to INT because a script in the background is. Each tool only where it is there, and new enough.
find_apart() {
  local words
  for words in "env --default-signal=INT,QUIT" setsid "setpriv --pdeathsig TERM"; do
    read -ra words <<<"$words"
    ! "${words[@]}" true 2>/dev/null || apart+=("${words[@]}")
  done
}

# A signal to us ends a wait before the program has ended.
run() {
  local seen=''
  "${apart[@]}" "$@" &
  child=$!
  while [ "$seen" != "$signals" ]; do
    seen=$signals status=0
    wait "$child" 2>/dev/null || status=$?
  done
}

hand_on() {
  signals=$((signals + 1))
  kill -s "$1" "$child" 2>/dev/null || true
}
