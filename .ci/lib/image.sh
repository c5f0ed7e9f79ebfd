# To be sourced by .ci/containers and .ci/tasks, after tree.sh: a Docker to make the image of a session's task with, and what it is
# made of, since no registry need be in reach: a Debian 12 of the smallest kind, and the machine's JDK.

# find_docker: the one that answers here, or else, as root, one that ends with this. As with other parts of the proof that a machine
# has not, what needs it is skipped by name.
find_docker() {
  trap 'end_docker; kill "${registry:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
  find_engine 2>/dev/null || { want dockerd && own_docker "$work/docker"; } || {
    echo "To be skipped: $1, since no Docker can be had here" >&2
    exit 0
  }
}

# make_bases sets the array bases to what scripts/image is told of them, and $agents to what is in them. A real agent is in it where npm can bring it: installed out
# here, since a build in there may have no network.
make_bases() {
  local node=agent-sessions-base kept
  agents=''
  keep_tree task --include=ca-certificates,git,procps,zstd
  docker import - agent-sessions-base <"$kept/bookworm.tar" >/dev/null
  tar -C "$JAVA_HOME" --exclude=src.zip --exclude=jmods --transform 's,^\./,opt/java/openjdk/,' --dereference -c . | docker import - agent-sessions-jre >/dev/null
  if timeout 180 scripts/tools "$work/node/agents" claude >/dev/null; then
    agents=claude node=agent-sessions-node
    cp "$(readlink -f "$(command -v node)")" "$work/node/node"
    printf 'FROM agent-sessions-base\nCOPY node /usr/local/bin/node\nCOPY agents /opt/agents\n' >"$work/node/Dockerfile"
    docker build -q -t "$node" "$work/node" >/dev/null
  else
    echo "Not tested in a container: claude, since npm could not install it." >&2
  fi
  bases=(--base agent-sessions-base --jre agent-sessions-jre --node "$node" --agents "$agents")
}

# make_service_bases sets it to what scripts/image service is told, after make_bases.
make_service_bases() {
  local kept npm
  keep_tree service --include=bubblewrap,ca-certificates,curl,git,procps,zstd
  docker import - agent-sessions-service-base <"$kept/bookworm.tar" >/dev/null
  npm=$(readlink -f "$(command -v npm)") && npm=${npm%/bin/*}
  mkdir -p "$work/service" && cp -r "$npm" "$work/service/npm"
  cp "$(readlink -f "$(command -v node)")" "$work/service/node"
  printf 'FROM agent-sessions-service-base\nCOPY node /usr/local/bin/node\nCOPY npm /usr/local/lib/node_modules/npm\n' >"$work/service/Dockerfile"
  docker build -q -t agent-sessions-service-node "$work/service" >/dev/null
  bases=(--base agent-sessions-service-base --jre agent-sessions-jre --node agent-sessions-service-node)
}
