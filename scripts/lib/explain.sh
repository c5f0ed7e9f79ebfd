# To be sourced first: explain ARGUMENT... answers --help and -h, and refuses an option that the script has not, at once: before
# anything is installed or built. What it has says its page in scripts/help, else its own first lines.

explain() {
  local argument
  for argument; do
    case $argument in
      --) return ;;
      -h | --help) page && exit ;;
      --[a-z]* | -[a-zA-Z]*) is_option "${argument%%=*}" || misunderstood "there is no option ${argument%%=*}" ;;
    esac
  done
}

is_option() {
  [[ " $(page | tr -cs 'a-zA-Z0-9-' ' ') " == *" $1 "* ]]
}

# misunderstood SENTENCE ends the script.
misunderstood() {
  printf 'Error: %s. See scripts/%s --help\n' "$1" "${0##*/}" >&2
  exit 2
}

page() {
  local scripts
  scripts=$(dirname "${BASH_SOURCE[0]}")/..
  cat "$scripts/help/${0##*/}" 2>/dev/null || sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$scripts/${0##*/}"
}
