# To be sourced in the project's folder after needs.sh, with $work: packs the SDKs of infra/clients, of which nothing is left in their
# folders, and the terminal client.

# pack_python FOLDER leaves a wheel there.
pack_python() {
  cp -r infra/clients/python "$work/python"
  python3 -m venv "$work/packing"
  "$work/packing/bin/pip" -q --disable-pip-version-check wheel --no-deps -w "$1" "$work/python"
}

# pack_typescript FOLDER leaves what npm packs there.
pack_typescript() {
  cp -r infra/clients/typescript "$work/typescript"
  mkdir -p "$1"
  (cd "$work/typescript" && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent build && npm pack --silent --ignore-scripts --pack-destination "$1")
}

# pack_chat FOLDER leaves the terminal client there: agent-sessions-chat.jar for a Java 25, and an archive with what of Java it needs, for
# machines of this kind. What it needs jdeps finds out; what is only looked up by name is not there.
pack_chat() {
  local kind name modules
  kind=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
  name=agent-sessions-chat-$kind
  mvn -q -B -Dstyle.color=never -Dquick -Dmaven.test.skip=true -pl infra/chat -am package >&2
  mkdir -p "$1" "$work/$name/lib" "$work/$name/bin"
  cp infra/chat/target/release/agent-sessions-chat.jar "$1"
  cp infra/chat/target/release/agent-sessions-chat.jar "$work/$name/lib"
  cp infra/chat/src/release/agent-sessions-chat "$work/$name/bin"
  cp LICENSE "$work/$name"
  modules=$("$JAVA_HOME/bin/jdeps" --ignore-missing-deps --print-module-deps "$1/agent-sessions-chat.jar")
  "$JAVA_HOME/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress zip-9 --generate-cds-archive \
    --output "$work/$name/runtime"
  tar -czf "$1/$name.tar.gz" -C "$work" --owner 0 --group 0 "$name"
}
