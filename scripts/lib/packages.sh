# To be sourced: how the system's package manager (apt-get or dnf) calls what scripts need, and how it is asked.

manager() {
  local name
  for name in apt-get dnf; do
    if command -v "$name" >/dev/null; then echo "$name" && return; fi
  done
  return 1
}

# install_packages NAME... installs what brings these commands, as far as it may and the manager has it.
install_packages() {
  local name package packages=()
  manager >/dev/null && may_install "$@" || return 0
  [ "$(manager)" != apt-get ] || root_runs apt-get -qq update || true
  for name; do
    package=$(package_of "$name")
    [ -z "$package" ] || packages+=("$package")
  done
  [ ${#packages[@]} -gt 0 ] || return 0
  echo "Installing ${packages[*]} ..." >&2
  case $(manager) in
    apt-get) root_runs env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "${packages[@]}" >/dev/null ;;
    dnf) root_runs dnf -q -y install "${packages[@]}" >/dev/null ;;
  esac
}

# Root may. Others are asked, in a terminal.
may_install() {
  local answer
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ] || return 1
  read -rp "Missing: $*. Install with sudo $(manager)? [y/N] " answer
  [[ $answer == [yY]* ]]
}

root_runs() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
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
    *:setpriv) echo util-linux ;;
    apt-get:jdk) echo openjdk-25-jdk-headless temurin-25-jdk ;;
    apt-get:venv) echo python3-venv ;;
    apt-get:ps) echo procps ;;
    dnf:jdk) echo java-25-openjdk-devel ;;
    dnf:venv) echo python3 ;;
    dnf:ps) echo procps-ng ;;
    dnf:shellcheck) echo ShellCheck ;;
    *) echo "$2" ;;
  esac
}

# An apt-get that has read no lists yet knows nothing at all: then a package may well be there.
is_known() {
  case $(manager) in
    apt-get) apt-cache show "$1" >/dev/null 2>&1 || ! apt-cache show bash >/dev/null 2>&1 ;;
    dnf) dnf -q info "$1" >/dev/null 2>&1 ;;
    *) false ;;
  esac
}

type_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    echo "Type: $1"
  elif command -v sudo >/dev/null; then
    echo "Type: sudo $1"
  else
    echo "As root, type: $1"
  fi
}
