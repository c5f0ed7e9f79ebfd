# To be sourced: how to find the Python that tools need: find_python 11 prints one that is 3.11 to 3.13.
. "$(dirname "${BASH_SOURCE[0]}")/tools.sh"

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" "$(command -v python3)" /usr/bin/python3 /usr/bin/python3.1[123] ~/.pyenv/versions/3.1[123].*/bin/python3 \
    "$tools"/python/usr/bin/python3.13; do
    # Not the one of our own environments, which may be about to be replaced.
    if [ -x "$candidate" ] && "$candidate" -c "import ensurepip, sys; sys.exit(sys.prefix != sys.base_prefix or not $1 <= sys.version_info[1] <= 13)" \
      2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Error: no Python 3.$1 to 3.13 with venv found. Install one, or set PYTHON to it (on Debian 12: infra/localstack/python)." >&2
  return 1
}
