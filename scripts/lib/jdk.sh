# To be sourced by needs.sh: finds a JDK 25 that is there.

find_jdk() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* ~/.sdkman/candidates/java/* ~/.jdks/* "$tools/jdk" \
    "$(dirname "$(dirname "$(readlink -f "$(command -v javac)" 2>/dev/null)")" 2>/dev/null)"; do
    if [ -n "$home" ] && is_jdk "$home"; then
      echo "$home"
      return
    fi
  done
  return 1
}

is_jdk() {
  [ -x "$1/bin/javac" ] && grep -qs '^JAVA_VERSION="25' "$1/release"
}

# Sets JAVA_HOME, and puts its java first on the PATH.
use_jdk() {
  ! JAVA_HOME=$(find_jdk) || export JAVA_HOME PATH="$JAVA_HOME/bin:$PATH"
}
