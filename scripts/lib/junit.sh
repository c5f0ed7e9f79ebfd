# To be sourced after build.sh, with $root and $reports: runs tests that are built already.
. "$(dirname "${BASH_SOURCE[0]}")/unsteady.sh"

# junit MODULE ARGUMENT... of the JUnit console. Its report is kept in a folder of $reports. In a part of the proof (with $again, see
# parts.sh) what failed is run again here, while all that its part has started is still there. What is unsteady is forgiven here, too:
# whatever else fails in the part keeps a status that nobody touches.
junit() {
  local report status=0
  report=$(mktemp -d "$reports/XXXXXX")
  echo "$1" >"$report/module"
  console "$report" "$@" || status=$?
  # Else the process was ended by something that it ran.
  [ -s "$report/TEST-junit-jupiter.xml" ] || { echo "Error: no report of the tests of $1" >&2 && return 1; }
  [ "$status" != 1 ] || [ -z "${again:-}" ] || ! run_again "$report" "$@" || status=0
  return "$status"
}

# console REPORT MODULE ARGUMENT...: JUnit's, in a process of its own, in the module's folder. It fails with 1 if a test has failed.
console() {
  local report=$1 module=$2 classes=$root/$2/target
  [ -z "${quick:-}" ] || classes+=/quick/target
  local java=(java -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED -Djdk.httpclient.allowRestrictedHeaders=host)
  # The first compiler only, as for whatever soon ends: half of the processor time went into compiling. The service's explorations run on.
  [ "$module" = functions/service ] || java+=(-XX:TieredStopAtLevel=1)
  case $module in infra/*)
    java+=(-Dlogback.configurationFile=agentsessions/local/logback.xml)
    # The services that these tests start, start faster so, see ready.sh.
    [ -z "${runner_options:-}" ] || java+=("-Dagentsessions.runner.options=$runner_options" "-Dagentsessions.database.options=$database_options")
    ;;
  esac
  (
    cd "$root/$module" || exit
    exec "${java[@]}" -cp "$classes/test-classes:$classes/classes:$(cat target/tests.classpath)" \
      org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details="${details:-summary}" \
      --fail-if-no-tests --reports-dir "$report" \
      --config junit.platform.reporting.open.xml.enabled=true \
      --config junit.jupiter.execution.timeout.default="${longest:-300s}" "${@:3}"
  )
}

# side_by_side NUMBER prints what lets that many classes run at once in one process.
side_by_side() {
  local parallel=junit.jupiter.execution.parallel
  printf -- '--config=%s\n' $parallel.enabled=true $parallel.mode.classes.default=concurrent $parallel.config.strategy=fixed \
    $parallel.config.fixed.parallelism="$1" $parallel.config.fixed.max-pool-size="$1"
}
