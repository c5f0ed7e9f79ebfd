# To be sourced after needs.sh, with $root: builds the client again when the content of any of its sources has changed since the last
# build that worked.

build_client() {
  local built=$root/infra/chat/target/built sources
  sources=$(cd "$root" && find pom.xml infra/chat -type f -not -path '*/target/*' -not -path '*/src/test/*' \
    -exec cksum {} + | sort | cksum)
  [ "$(cat "$built" 2>/dev/null)" != "$sources" ] || return 0
  want mvn || return
  echo "Building ..." >&2
  rm -rf "$root"/infra/chat/target/{lib,chat.jar} # jars of other versions would stay, and be loaded
  (cd "$root" && mvn -q -B -Dstyle.color=never -Dquick -Dmaven.test.skip=true -Dassembly.skipAssembly=true -pl infra/chat -am package >&2) || return
  echo "$sources" >"$built"
}
