# To be sourced: where the tools that are not Java are kept between runs, and how to find the Python they need.

tools=${XDG_CACHE_HOME:-$HOME/.cache}/agent-sessions

find_python_313() {
  local candidate
  for candidate in "${PYTHON:-}" "$(command -v python3.13)" "$(command -v python3)" ~/.pyenv/versions/3.13.*/bin/python; do
    if [ -x "$candidate" ] && "$candidate" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Error: no Python 3.13 found. Install one, or set PYTHON to it." >&2
  return 1
}
