# To be sourced: where the tools that are not Java are kept between runs, and how to find the Python they need.

tools=${XDG_CACHE_HOME:-$HOME/.cache}/agent-sessions

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" "$(command -v python3)" /usr/bin/python3 "$(command -v python3.1{3,2,1} | head -1)" ~/.pyenv/versions/3.1[123].*/bin/python; do
    # Not the one of our own tools, which may be about to be replaced.
    if [ -x "$candidate" ] && [[ $candidate != "$tools"/* ]] && "$candidate" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Error: no Python 3.11 to 3.13 with venv found. Install one (Debian: python3-venv), or set PYTHON to it." >&2
  return 1
}
