# To be sourced: debugged ARGUMENT... of scripts/start sets the array debug to what a JVM is told so that a debugger can come to it; to
# nothing unless it was asked for.
debugged() {
  local wait=''
  debug=()
  case " $* " in
    *" --debug-wait "*) wait=y ;;
    *" --debug "*) wait=n ;;
  esac
  [ -z "$wait" ] || debug=("-agentlib:jdwp=transport=dt_socket,server=y,suspend=$wait,address=127.0.0.1:5005")
}
