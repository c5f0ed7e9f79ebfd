# To be sourced after needs.sh, with $root: builds the client again when the content of any of its sources has changed since the last
# build that worked.

build_client() {
  local built=$root/infra/client/target/built sources
  sources=$(cd "$root" && find pom.xml infra/client -type f -not -path '*/target/*' -not -path '*/src/test/*' \
    -exec cksum {} + | sort | cksum)
  [ "$(cat "$built" 2>/dev/null)" != "$sources" ] || return 0
  want mvn || return
  echo "Building ..." >&2
  rm -rf "$root"/infra/client/target/{lib,client.jar} # jars of other versions would stay, and be loaded
  (cd "$root" && mvn -q -B -Dstyle.color=never -Dquick -Dmaven.test.skip=true -pl infra/client -am package >&2) || return
  echo "$sources" >"$built"
}
