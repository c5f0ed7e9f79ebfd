# To be sourced after build.sh, with $root and $reports: runs tests that are built already.

# junit MODULE ARGUMENT... of the JUnit console: in a process of its own, in the module's folder. Its report and what it takes to run one
# of its tests again are kept in a folder of $reports.
junit() {
  local module=$1 classes=$root/$1/target report status=0
  report=$(mktemp -d "$reports/XXXXXX")
  [ -z "${quick:-}" ] || classes+=/quick/target
  echo "$module" >"$report/module"
  local java=(java -XX:+EnableDynamicAgentLoading --enable-native-access=ALL-UNNAMED -Djdk.httpclient.allowRestrictedHeaders=host)
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
      --config junit.jupiter.execution.timeout.default="${longest:-300s}" "${@:2}"
  ) || status=$?
  # Else the process was ended by something that it ran.
  [ -s "$report/TEST-junit-jupiter.xml" ] || { echo "Error: no report of the tests of $module" >&2 && return 1; }
  return "$status"
}

# side_by_side NUMBER prints what lets that many classes run at once in one process.
side_by_side() {
  local parallel=junit.jupiter.execution.parallel
  printf -- '--config=%s\n' $parallel.enabled=true $parallel.mode.classes.default=concurrent $parallel.config.strategy=fixed \
    $parallel.config.fixed.parallelism="$1" $parallel.config.fixed.max-pool-size="$1"
}
