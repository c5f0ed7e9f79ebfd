# To be sourced: finds a JDK 25, sets JAVA_HOME and puts its java first on the PATH; ends with a clear message without one.

is_jdk_25() {
  [ -x "$1/bin/javac" ] && grep -qs '^JAVA_VERSION="25' "$1/release"
}

find_jdk_25() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* ~/.sdkman/candidates/java/* ~/.jdks/* \
    /opt/homebrew/opt/openjdk@25 "$(/usr/libexec/java_home -v 25 2>/dev/null)" \
    "$(dirname "$(dirname "$(readlink -f "$(command -v javac)" 2>/dev/null)")" 2>/dev/null)"; do
    if [ -n "$home" ] && is_jdk_25 "$home"; then
      echo "$home"
      return
    fi
  done
  return 1
}

if ! JAVA_HOME=$(find_jdk_25); then
  echo "Error: no JDK 25 found. Install one (for example https://adoptium.net, or: sdk install java 25-tem), or set JAVA_HOME to it." >&2
  exit 1
fi
export JAVA_HOME PATH="$JAVA_HOME/bin:$PATH"
