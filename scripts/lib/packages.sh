# To be sourced: what the system's package manager calls the things that scripts need. Tried on Debian; the names that the others use
# are only read.

manager() {
  local name
  for name in apt-get dnf zypper pacman; do
    if command -v "$name" >/dev/null; then echo "$name" && return; fi
  done
  return 1
}

# Prints the package that brings a command, or nothing if the manager has none.
package_of() {
  local package
  for package in $(candidates "$(manager)" "$1"); do
    if is_known "$package"; then echo "$package" && return; fi
  done
}

candidates() {
  case $1:$2 in
    *:mvn) echo maven ;;
    *:bwrap) echo bubblewrap ;;
    apt-get:dockerd) echo docker.io ;;
    apt-get:jdk) echo openjdk-25-jdk-headless temurin-25-jdk ;;
    pacman:jdk) echo jdk25-openjdk ;;
    *:jdk) echo java-25-openjdk-devel ;;
    apt-get:venv) echo python3-venv ;;
    pacman:venv) echo python ;;
    *:venv) echo python3 ;;
    dnf:shellcheck | zypper:shellcheck) echo ShellCheck ;;
    *) echo "$2" ;;
  esac
}

# An apt-get that has read no lists yet knows nothing at all: then a package may well be there.
is_known() {
  case $(manager) in
    apt-get) apt-cache show "$1" >/dev/null 2>&1 || ! apt-cache show bash >/dev/null 2>&1 ;;
    dnf) dnf -q info "$1" >/dev/null 2>&1 ;;
    zypper) zypper -nq search --match-exact "$1" >/dev/null 2>&1 ;;
    pacman) pacman -Si "$1" >/dev/null 2>&1 ;;
    *) false ;;
  esac
}
