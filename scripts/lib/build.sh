# To be sourced: builds what has changed since the last build, by the content of the sources. One file says what target folders hold:
# the sources' checksum, and below it what was built of them.

built=target/built

# build MODULE,MODULE... [MAVEN OPTION...] packs them, and what they need, without checks and tests, and without the zips of functions,
# which nothing needs here: -Dassembly.skipAssembly=false makes them.
build() {
  local sources
  sources=$(sources)
  if holds "$sources" "$1" || holds "$sources" all; then return; fi
  echo "Building (the first time takes some minutes) ..." >&2
  building "$sources"
  mvn -q -B -Dstyle.color=never -T 2 -Dquick -Dmaven.test.skip=true -Dassembly.skipAssembly=true "${@:2}" -pl "$1" -am package >&2
  echo "$1" >>"$built"
}

# build_checked builds everything with all checks, on both cores. Its classes are not those of a quick build, which was never checked.
build_checked() {
  local sources
  sources=$(sources)
  building "$sources"
  # A warning is an error, and Maven that is told to be quiet would not say which.
  mvn -B -ntp -T 2 -Dstyle.color=never verify >target/build.log 2>&1 || {
    grep -E '^\[(WARNING|ERROR)\]|^ +\(see|Did you mean' target/build.log | head -n 60 >&2
    return 1
  }
  echo all >>"$built"
}

# await_packed MODULE waits until build_checked, beside which it runs, has packed a module, and with it its tests. Fails if the build does.
await_packed() {
  until grep -qE "spotless-maven-plugin:.* @ $1 ---|BUILD SUCCESS" target/build.log; do
    ! grep -q 'BUILD FAILURE' target/build.log || return 1
    sleep 0.5
  done
}

# build_tests MODULE,MODULE...: with their tests, quickly; unless all is built already. Sets $quick if it has done so.
build_tests() {
  ! holds "$(sources)" all || return 0
  quick=yes
  compile_tests "$1"
}

compile_tests() {
  building "$(sources)"
  mvn -q -B -ntp -T 2 -Dstyle.color=never -Dquick -DskipTests -Dassembly.skipAssembly=true -Dtests.phase=package -pl "$1" -am package >&2
}

sources() {
  find pom.xml functions infra -type f -not -name '.*' -not -path '*/target/*' -not -path '*/src/test/*' -not -path 'infra/localstack/*' \
    -exec cksum {} + | LC_ALL=C sort | cksum
}

# holds SOURCES WHAT
holds() {
  [ "$(head -n 1 "$built" 2>/dev/null)" = "$1" ] && grep -qxF -e "$2" "$built"
}

# building SOURCES: what was built of others is no longer all there.
building() {
  mkdir -p target
  drop_old_jars
  [ "$(head -n 1 "$built" 2>/dev/null)" = "$1" ] || echo "$1" >"$built"
}

# Jars of what a pom said before, such as another version of a library, would stay beside those of now, and be loaded.
drop_old_jars() {
  local lib
  for lib in functions/*/target/lib infra/*/target/lib infra/local/dynamodb/target/lib; do
    if [ pom.xml -nt "$lib" ] || [ "${lib%target/lib}pom.xml" -nt "$lib" ]; then rm -rf "$lib" "${lib%/lib}"/*.jar; fi
  done
}
