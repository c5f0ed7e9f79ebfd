# To be sourced: how the system's package manager is asked, and by whom.

# install_packages NAME... installs what brings these commands, as far as it may and the manager has it.
install_packages() {
  local name packages=()
  manager >/dev/null && may_install "$@" || return 0
  refresh || true
  for name; do mapfile -t -O ${#packages[@]} packages < <(package_of "$name"); done
  [ ${#packages[@]} -gt 0 ] || return 0
  echo "Installing ${packages[*]} ..." >&2
  run_install "${packages[@]}" >/dev/null
}

# Root may. Others are asked, in a terminal.
may_install() {
  local answer
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ] || return 1
  read -rp "Missing: $*. Install with sudo $(manager)? [y/N] " answer
  [[ $answer == [yY]* ]]
}

# The lists of packages; pacman's are not to be newer than what is installed.
refresh() {
  case $(manager) in
    apt-get) root_runs apt-get -qq update ;;
    zypper) root_runs zypper -nq refresh ;;
  esac
}

run_install() {
  case $(manager) in
    apt-get) root_runs env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "$@" ;;
    dnf) root_runs dnf -qy install "$@" ;;
    zypper) root_runs zypper -nq install --no-recommends "$@" ;;
    pacman) root_runs pacman -Sq --noconfirm --needed "$@" ;;
  esac
}

root_runs() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}
