# To be sourced: what to type where something is missing that may not be installed here.

# advise NAME prints one sentence, with the command.
advise() {
  local package
  package=$(package_of "$1")
  case $1:$package in
    *:?*) echo "Error: $package is missing. $(type_as_root "$package")" ;;
    jdk:) echo "Error: a JDK 25 is missing. Install one (https://adoptium.net), or set JAVA_HOME to it." ;;
    mvn:) echo "Error: Maven is missing. Install 3.8 or newer (https://maven.apache.org)." ;;
    *) echo "Error: $1 is missing, and no package manager that is known here has it. Install it." ;;
  esac
}

type_as_root() {
  local command
  command="$(manager) install $1"
  [ "$(manager)" != pacman ] || command="pacman -S $1"
  if [ "$(id -u)" -eq 0 ]; then
    echo "Type: $command"
  elif command -v sudo >/dev/null; then
    echo "Type: sudo $command"
  else
    echo "As root, type: $command"
  fi
}
