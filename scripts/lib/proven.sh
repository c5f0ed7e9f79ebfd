# To be sourced after parts.sh and report.sh: what deep parts are known to have shown before, on this machine. A part is known by what git
# has of its inputs, by its command and by what it runs on. That is written down only where the whole tree is committed.

proven=${XDG_CACHE_HOME:-$HOME/.cache}/agent-sessions/proven
week=$((7 * 24 * 60 * 60))

# prove_deep SECONDS: the deep parts whose inputs have changed since they were last green, then those that were green more than a week
# ago, of either the longest ago first. The first always runs; of the others those that fit.
prove_deep() {
  local began=$SECONDS name key old status=0 first=yes lanes=1
  local tier left_out usual command
  while read -r old _ name key; do
    if [ "$old" = 2 ]; then
      echo "known $name: $(cat "$proven/$name/$key")"
      continue
    fi
    take "$name"
    if [ -z "$first" ] && [ $((SECONDS - began + usual)) -gt "$1" ]; then
      echo "not run: $name"
      continue
    fi
    first=''
    ran+=("$name")
    prove_one "$name" || status=1
  done < <(deep | sort -n)
  return "$status"
}

# deep prints a line of each deep part: 0 if its inputs are new, 1 if it was green long ago, 2 if lately; when it was green, or 0;
# its name and its key.
deep() {
  local name key when
  for name in $(names deep); do
    key=$(key "$name")
    when=$(cat "$proven/$name/when" 2>/dev/null || echo 0)
    if [ ! -s "$proven/$name/$key" ]; then
      echo "0 $when $name $key"
    else
      echo "$(($(date +%s) - $(stat -c %Y "$proven/$name/$key") > week ? 1 : 2)) $when $name $key"
    fi
  done
}

key() {
  local tier left_out usual command path paths=(.)
  take "$1"
  for path in '*.md' infra/docs LICENSE .github $left_out; do paths+=(":(exclude)$path"); done
  {
    git ls-files -s -- "${paths[@]}"
    echo "$command"
    uname -rm
    cat "$JAVA_HOME/release"
  } | sha256sum | cut -c 1-32
}

# remember NAME: that it was green, if all is committed that it was green with.
remember() {
  local key
  [ -z "$(git status --porcelain)" ] || return 0
  key=$(key "$1")
  mkdir -p "$proven/$1"
  date +%s >"$proven/$1/when"
  echo "$(git rev-parse --short HEAD), $(date -u +%FT%TZ): $(cat "$work/$1/counts") passed, failed, skipped" >"$proven/$1/$key.new"
  mv "$proven/$1/$key.new" "$proven/$1/$key"
}
