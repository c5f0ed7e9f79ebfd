# To be sourced: Docker, or Podman where only that is there, as $engine.
. "$(dirname "${BASH_SOURCE[0]}")/aside.sh"

# find_engine fails, and says why, where none answers.
find_engine() {
  for engine in docker podman; do
    ! "$engine" version >/dev/null 2>&1 || return 0
  done
  if command -v docker >/dev/null; then
    echo "Error: Docker does not answer. Start it, or name another by DOCKER_HOST." >&2
  else
    echo "Error: Docker is missing. Install it (https://docs.docker.com/engine/install), or Podman." >&2
  fi
  return 1
}

# need_image ARGUMENT... of scripts/start: builds the image that they name, or the usual one, where it is not there.
need_image() {
  local name=agent-sessions-task
  [[ " $* " != *" --image"[\ =]* ]] || name=$(sed -E 's/.* --image[ =]([^ ]+).*/\1/' <<<" $* ")
  ! "$engine" image inspect "$name" >/dev/null 2>&1 || return 0
  echo "Building the image $name (the first time takes some minutes) ..." >&2
  "$root/scripts/image" --name "$name" >/dev/null
}

# own_docker FOLDER starts a Docker with all it has below the folder, and no network. Needs root.
own_docker() {
  export DOCKER_HOST=unix://$1/docker.sock
  mkdir -p "$1"
  outlive setsid dockerd --data-root "$1/data" --exec-root "$1/exec" -H "$DOCKER_HOST" --pidfile "$1/docker.pid" --iptables=false --bridge=none \
    >"$1/log" 2>&1 &
  docker_process=$!
  for _ in {1..1800}; do
    ! docker version >/dev/null 2>&1 || return 0
    kill -0 "$docker_process" 2>/dev/null || break
    sleep 0.1
  done
  echo "Error: no Docker has started: $(tail -n 1 "$1/log")" >&2
  return 1
}

# Ends the one that was started here, if one was.
end_docker() {
  [ -n "${docker_process:-}" ] || return 0
  kill "$docker_process" 2>/dev/null || true
  wait "$docker_process" || true
  umount "${DOCKER_HOST:7:-12}/exec/netns/default" 2>/dev/null || true
}
