# To be sourced from the project's folder: what the commands of parts are made of.
root=$PWD
. scripts/lib/needs.sh
. scripts/lib/junit.sh
use_jdk

# tests ARGUMENT... of junit: where they fail the part is red, but only once all of it has run.
tests() {
  junit "$@" || red=yes
}

check_scripts() {
  find .ci scripts -type f -not -path '*/lib/*' -not -path '*/help/*' -exec shellcheck -x {} +
  shellcheck -x -P scripts/lib -s bash -e SC2034,SC2154 scripts/lib/*.sh .ci/lib/*.sh # they share names with those who source them
}

# The agents themselves are tested where npm can bring them.
want_agents() {
  if AGENT_SESSIONS_TOOLS=$(timeout 300 scripts/tools); then
    export AGENT_SESSIONS_TOOLS
  else
    unset AGENT_SESSIONS_TOOLS
    echo "Skipped: claude, codex, opencode and gemini, since npm could not install them" >&2
  fi
}

# A disk that is really full.
full_disk() {
  if [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then
    scripts/bench disk
  else
    echo "Skipped: a full disk, which only root can mount" >&2
  fi
}
