# To be sourced after needs.sh, with $root: caches of what a JVM finds out about its classes at each start (AOT caches of JDK 25), which
# halve the processor time of a start. They are made on this machine by a trial and kept in target/ready. A JVM believes its cache
# blindly, whatever became of the jars, so one is used only while the checksums of JDK, options, jars and cache are those it was made with.
# Where none can be made, or AGENT_SESSIONS_CACHES is no, a start takes longer, and that is all.

caches=$root/target/ready

# For what soon ends: the first compiler only.
jvm=("@$root/infra/local/jvm.options" -XX:TieredStopAtLevel=1)

# class_path FOLDER: its jars, always in the same order.
class_path() {
  local LC_ALL=C IFS=: jars
  jars=("$root/$1"/target/*.jar "$root/$1"/target/lib/*.jar)
  echo "${jars[*]}"
}

# look NAME FOLDER: sets the array cached to what a JVM is told to use the cache, or to nothing. Fails if making one is worth a try.
look() {
  cached=()
  [ "${AGENT_SESSIONS_CACHES:-}" != no ] || return 0
  [ -s "$caches/$1.sums" ] && [ "$(cat "$caches/$1.sums")" = "$(sums "$1" "$2")" ] || return 1
  [ ! -e "$caches/$1.aot" ] || cached=("-XX:AOTCache=$caches/$1.aot" -Xlog:disable)
}

# use NAME FOLDER TRIAL [WHAT]: the same, with a trial first where there is none yet, of what is said to be made ready.
use() {
  look "$1" "$2" && return
  try_out "$3" "${4:-}"
  look "$1" "$2" || true
}

sums() {
  cksum "$JAVA_HOME/release" "$root/infra/local/jvm.options" "$root/$2"/target/*.jar "$root/$2"/target/lib/*.jar "$caches/$1.aot" 2>/dev/null || true
}

# try_out TRIAL [WHAT]: runs the function in a process with a folder of its own, $new, for what it records and keeps there.
try_out() {
  local new
  mkdir -p "$caches" 2>/dev/null || return 0
  df -Pk "$caches" | { read -r && read -r _ _ _ free _ && [ "$free" -gt 1000000 ]; } || return 0
  new=$(mktemp -d "$caches/new.XXXXXX" 2>/dev/null) || return 0
  echo "Getting ready for faster starts, once${2:+: $2} ..." >&2
  (
    trap 'exit 130' INT TERM HUP
    trap '[ -z "$(jobs -p)" ] || kill $(jobs -p); wait; rm -rf "$new"' EXIT
    "$1" >/dev/null 2>&1 </dev/null || true
  )
}

# ready_children sets $runner_options and $database_options to what the children of a service are told, one option a line.
ready_children() {
  use runner functions/runner try_runner "1/2, the runner"
  runner_options=$(printf '%s\n' "${cached[@]}")
  use database infra/local/dynamodb try_service "2/2, the service and its database"
  database_options=$(printf '%s\n' "${cached[@]}")
}

# record NAME: what a JVM is told to write down what a cache is made of, one option a line.
record() {
  printf -- '-XX:AOTMode=record\n-XX:AOTConfiguration=%s\n' "$new/$1.conf"
}

# keep_cache NAME FOLDER: makes it of what was recorded. Once in a while the JDK makes one by which each JVM crashes as it starts, so it is tried.
# Its checksums come last: without them it is not used.
keep_cache() {
  local made=("${jvm[@]}" -XX:AOTCache="$new/$1.aot" -cp "$(class_path "$2")")
  java "${made[@]}" -XX:AOTMode=create -XX:AOTConfiguration="$new/$1.conf" || true
  java "${made[@]}" -Xlog:disable -XX:+SuppressFatalErrorMessage -version || rm -f "$new/$1.aot"
  mv -f "$new/$1.aot" "$caches/$1.aot" || rm -f "$caches/$1.aot"
  sums "$1" "$2" >"$new/$1.sums"
  mv -f "$new/$1.sums" "$caches/$1.sums"
}

# A JVM that crashed by itself may have done so for its cache; one that finds none goes on without.
forget_caches() {
  rm -f "$caches"/*.aot || true
}

# Those of the service and of its database, by a start on a folder of its own.
try_service() {
  local base recorded
  mapfile -t recorded < <(record service)
  timeout 120 java "${jvm[@]}" -Xmx192m "${recorded[@]}" -Dagentsessions.home="$root" \
    -Dagentsessions.database.options="$(record database)" \
    -cp "$(class_path infra/local)" agentsessions.local.Main --quiet --port 0 --data "$new/data" &
  while [ ! -s "$new/data/base-url" ] && kill -0 $!; do sleep 0.1; done
  base=$(cat "$new/data/base-url")
  printf 'header = "Authorization: ApiKey %s"' "$(cat "$new/data/local-key")" \
    | curl -s --retry 20 --retry-connrefused --retry-delay 1 -K - "$base/me" "$base/sessions" "$base/agents"
  kill $!
  wait $! || true
  keep_cache service infra/local
  keep_cache database infra/local/dynamodb
}

# That of the runner, which asks for work where nobody is. Under the service it has too little time to write everything down at its end.
try_runner() {
  local recorded
  mapfile -t recorded < <(record runner)
  env -i PATH="$PATH" LC_ALL=C.UTF-8 SANDBOXES="$new/sandboxes" ISOLATION=none AWS_LAMBDA_RUNTIME_API=127.0.0.1:1 timeout 60 java "${jvm[@]}" \
    "${recorded[@]}" -cp "$(class_path functions/runner)" agentsessions.runner.start.Main < <(exec sleep 60) || true
  keep_cache runner functions/runner
}

# That of scripts/chat, which asks somebody who is not there.
try_chat() {
  local recorded
  mapfile -t recorded < <(record chat)
  AGENT_SESSIONS_KEY=none timeout 60 java "${jvm[@]}" "${recorded[@]}" -cp "$(class_path infra/chat)" agentsessions.chat.Chat \
    --url http://127.0.0.1:1/rest/v1 --json hello || true
  keep_cache chat infra/chat
}
