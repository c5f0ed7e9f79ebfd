# To be sourced: need NAME... ends the script with 1 unless all that is named is there: jdk (a JDK 25), venv (a Python with it) or a
# command. want NAME... is the same for what one can do without: it only returns 1.
# What is missing it gets from the system's package manager where it may (root, or sudo after a yes in the terminal); else a JDK 25 and
# bubblewrap come into the user's cache. What cannot be had is said, with the command to type, before anything large is fetched.
. "$(dirname "${BASH_SOURCE[0]}")/python.sh"
. "$(dirname "${BASH_SOURCE[0]}")/packages.sh"
. "$(dirname "${BASH_SOURCE[0]}")/install.sh"
. "$(dirname "${BASH_SOURCE[0]}")/advise.sh"
. "$(dirname "${BASH_SOURCE[0]}")/jdk.sh"
. "$(dirname "${BASH_SOURCE[0]}")/fetch_jdk.sh"
. "$(dirname "${BASH_SOURCE[0]}")/bwrap.sh"
export MAVEN_OPTS="${MAVEN_OPTS:-} --sun-misc-unsafe-memory-access=allow" # spares the user Maven's own warnings

need() {
  want "$@" || exit 1
}

want() {
  local name names lost=()
  mapfile -t names < <(missing "$@")
  [ ${#names[@]} -eq 0 ] || install_packages "${names[@]}" || true
  mapfile -t names < <(missing "$@")
  for name in "${names[@]}"; do can_fetch "$name" || lost+=("$name"); done
  for name in "${lost[@]}"; do advise "$name" >&2; done
  [ ${#lost[@]} -eq 0 ] || return 1
  for name in "${names[@]}"; do "fetch_$name" || return 1; done
  use_jdk
}

# Prints which of the names are not there, one a line.
missing() {
  local name
  for name; do has "$name" || echo "$name"; done
}

has() {
  case $1 in
    jdk) find_jdk >/dev/null ;;
    venv) find_python 11 >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

can_fetch() {
  case $1 in
    jdk) true ;; # by curl, which is said to be missing itself where it is
    bwrap) find_pip >/dev/null ;;
    *) false ;;
  esac
}
