package agentsessions.runner.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.StandIn;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.network.model.KeyProxy;
import agentsessions.runner.sandbox.InstalledTools;
import agentsessions.runner.turn.Invocation;
import agentsessions.testing.GitHost;
import agentsessions.testing.Loopback;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The runner as a task, in a process with the privileges of its container.
class TaskTest {
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final String SECRET = "0123456789abcdef0123456789abcdef";

  @TempDir Path folder;
  private final ProcessMark mark = ProcessMark.fresh();
  private Bench bench;
  private @Nullable Process task;
  private String keysAt = "http://127.0.0.1:9009";

  @BeforeEach
  void open() throws IOException {
    assumeTrue(isRoot() && Files.isExecutable(SETPRIV), "needs root and setpriv");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    bench = Bench.forTask(folder);
  }

  @AfterEach
  void close() throws Exception {
    if (task != null) {
      task.destroyForcibly().waitFor();
      assertFalse(log().contains(SECRET), log());
    }
    if (bench != null) {
      bench.close();
    }
  }

  @Test
  void oneTaskRunsTheTurnsOfItsSession() throws Exception {
    begin(bench.offer("head -c 1000000 /dev/urandom > file; sha256sum file | tee sum"), 20);
    JsonNode first = ended();
    bench.offer("stat -c %Y file; sha256sum -c sum");
    assertTrue(ended().get("reply").textValue().endsWith("file: OK"), first.toString());
    assertEquals(0, bench.service.calls("download"), log());
    assertFalse(bench.service.isSandboxLost());
    bench.service.endsWaiting();
    assertEquals(0, exit());
  }

  @Test
  void aFolderThatIsNotWhatTheNextTurnBeginsWithIsFetched() throws Exception {
    begin(bench.offer("echo kept > file; chmod -R 1777 .; mkdir -pm 000 a/b; pwd"), 20);
    assertEquals(folder + "/workspace", ended().path("reply").textValue(), log());
    bench.service.replaceSnapshot();
    bench.offer("cat $AGENT_WORKSPACE/file; pwd; echo $HOME");
    assertEquals(
        "kept\n%1$s/workspace\n%1$s/home/agent".formatted(folder),
        ended().path("reply").textValue(),
        log());
    assertEquals(1, bench.service.calls("download"), log());
  }

  @Test
  void taskEndsWhereNoTurnComes() throws Exception {
    begin(bench.offer("echo one"), 5);
    assertEquals("one", ended().get("reply").textValue());
    assertEquals(0, exit());
    assertTrue(bench.service.calls("next") >= 2, log());
  }

  @Test
  void taskGoesOnAskingWhileTheServiceIsInTrouble() throws Exception {
    bench.service.fault("next", StandIn.Fault.UNAVAILABLE, StandIn.Fault.DROPPED);
    begin(bench.offer("echo one"), 20);
    ended();
    Bench.await("the questions", () -> bench.service.calls("next") >= 3);
    bench.offer("echo two");
    assertEquals("two", ended().get("reply").textValue());
  }

  @Test
  void taskWhoseSandboxIsNotSavedDoesNotWait() throws Exception {
    bench.service.objectsAnswer(403);
    begin(bench.offer("echo one"), 20);
    assertEquals(0, exit());
    assertEquals(0, bench.service.calls("standby"), log());
    assertTrue(bench.service.isSandboxLost());
  }

  /// By files that the agent cannot change, which no turn without permissions finds.
  @Test
  void callsAreJudgedBeforeTheyRun() throws Exception {
    isJudged();
    String script =
        """
        ask() { printf '{"tool_use_id":"%s","tool_name":"Bash","tool_input":{"command":"%s"}}' "$1" "$2" | $3 2>>why; all+="$? "; }
        reply() { printf '{"type":"result","is_error":false,"result":"%s"}\\n' "$*"; }
        ask 1 ls "$AGENT_GATE"; ask 2 'rm x' "$AGENT_GATE"; ask 3 ls "${AGENT_GATE% *}"
        for file in ROOT/etc/claude-code/managed-settings.json "${AGENT_GATE%% *}"; do
          [ -r "$file" ]; all+=$?
          { echo x >"$file"; } 2>/dev/null; all+=$?
          rm -f "$file" 2>/dev/null; all+=$?
          mv "${file%/*}" "$HOME" 2>/dev/null; all+=$?
        done
        reply "$all $(grep -c "$AGENT_GATE" ROOT/etc/claude-code/managed-settings.json) $(wc -l <why)"
        """
            .replace("ROOT", folder.toString());
    begin(bench.offer(script), 20);
    JsonNode first = ended();
    assertEquals("0 2 2 01110111 1 2", first.path("reply").textValue(), first + log());
    bench.work = Bench.nothing();
    bench.entry.remove(List.of("events", "error"));
    bench.entry.set("reply", Bench.entry("shell").get("reply"));
    bench.offer(
        "echo \"${AGENT_GATE-none} $(ls %1$s/etc/claude-code %1$s/opt/gate)\"".formatted(folder));
    assertEquals(
        "none %1$s/etc/claude-code:\n\n%1$s/opt/gate:".formatted(folder),
        ended().path("reply").textValue().strip(),
        log());
  }

  @Test
  void aCallThatNobodyJudgedEndsTheTurn() throws Exception {
    isJudged();
    String script =
        """
        printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{}}]}}\\n'
        printf '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":false,"content":""}]}}\\n'
        sleep 60
        """;
    begin(bench.offer(script), 20);
    assertEquals("UNAPPROVED_CALL", ended().at("/error/code").textValue(), log());
  }

  /// The agent is judged as claude is, and may do all but remove files.
  private void isJudged() throws IOException {
    ObjectNode claude = Bench.entry("claude");
    for (String field : List.of("reply", "error", "events", "gate")) {
      bench.entry.set(field, claude.get(field));
    }
    bench.entry.withObject("/gate/questions").remove("command");
    bench.work = Bench.nothing();
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    ObjectNode rule = permissions.putArray("rules").addObject().put("kind", "execute");
    rule.put("match", "*rm *").put("policy", "deny");
    permissions.put("hold_seconds", 30);
  }

  @Test
  void turnThatIsNotLiveIsLeftAlone() throws Exception {
    Invocation turn = bench.offer("echo one");
    bench.service.interrupt();
    begin(turn, 20);
    assertEquals(0, exit());
    assertEquals(0, bench.service.calls("release"), log());
  }

  @Test
  void interruptedTurnIsSavedAndTheNextOneFollows() throws Exception {
    begin(bench.offer("echo kept > file; touch ready; sleep 300"), 20);
    Bench.await("the turn", () -> Files.exists(ready()));
    bench.service.interrupt();
    Bench.await("the wait", () -> bench.service.calls("next") > 0);
    bench.offer("cat file");
    assertEquals("kept", ended().get("reply").textValue());
    assertEquals(0, bench.service.calls("download"), log());
  }

  @Test
  void anotherSessionsTurnIsNeverRun() throws Exception {
    Invocation turn = bench.offer("echo foreign > /tmp/foreign-" + mark);
    begin(new Invocation(turn.ticket(), turn.url(), 0, UUID.randomUUID().toString()), 20);
    assertEquals(1, exit());
    assertFalse(Files.exists(folder.resolve("sandboxes").resolve(bench.sessionId)), log());
    assertFalse(Files.exists(folder.resolve("workspace")), log());
  }

  @Test
  void taskThatIsStoppedSavesItsTurn() throws Exception {
    begin(bench.offer("echo kept > file; touch ready; " + mark.sleep()), 20);
    Bench.await("the turn", () -> Files.exists(ready()));
    end();
    assertEquals(128 + 15, exit());
    assertFalse(mark.isRunning());
    assertEquals("SANDBOX_FAILED", bench.service.result().at("/error/code").textValue());
    assertTrue(bench.service.isReleased());
    assertFalse(bench.service.isSandboxLost());
  }

  @Test
  void taskThatIsStoppedWhileItWaitsEndsAtOnce() throws Exception {
    begin(bench.offer("echo one"), 3600);
    ended();
    end();
    assertTrue(task().waitFor(60, TimeUnit.SECONDS), log());
  }

  @Test
  void agentIsAnotherUserWithoutAnyPrivilege() throws Exception {
    begin(
        bench.offer(
            """
            id -u
            grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status | xargs
            ulimit -Hn; ulimit -Hc
            grep -c -e -cp /proc/$PPID/cmdline
            env | grep -c -e SECRET -e TICKET -e KEYS
            for name in environ mem maps fd cwd; do
              { cat /proc/$PPID/$name || ls /proc/$PPID/$name/; } >/dev/null 2>&1 && echo open
            done
            { kill -0 $PPID || echo 1 > /proc/$PPID/oom_score_adj; } 2>/dev/null && echo harmed
            ls "$(dirname "$AGENT_WORKSPACE")" >/dev/null 2>&1 && echo listed
            echo end
            """),
        20);
    List<String> said = ended().path("reply").asText().lines().toList();
    assertTrue(said.getFirst().matches("6\\d{4}"), said + log());
    assertEquals(
        List.of(
            "CapInh: 0000000000000000 CapPrm: 0000000000000000 CapEff: 0000000000000000"
                + " CapAmb: 0000000000000000 NoNewPrivs: 1",
            String.valueOf(Limits.STANDARD.open()),
            "0",
            "1",
            "0",
            "end"),
        said.subList(1, said.size()));
  }

  @Test
  void agentReachesItsModelAndNeitherKeyNorSecret() throws Exception {
    Loopback model = new Loopback(exchange -> exchange.sendResponseHeaders(200, -1));
    Map<String, String> proxy =
        Map.of(
            "TASK_SECRET",
            SECRET,
            "AGENTS_FILE",
            "../../infra/agents.yaml",
            "ANTHROPIC_API_KEY",
            "sk-of-the-operator",
            "ANTHROPIC_BASE_URL",
            model.url());
    try (KeyProxy keys = KeyContainer.open(0, proxy)) {
      keysAt = "http://127.0.0.1:" + keys.port();
      bench.hasModelOf("claude");
      begin(
          bench.offer(
              """
              status() { curl -s -o /dev/null -w '%%{http_code}\n' "$@"; }
              status $AGENT_MODEL_URL/v1/models; status $AGENT_MODEL_URL/v1/files
              status %1$s/claude/v1/models; status %1$s/$AGENT_MODEL_SECRET/claude/v1/models
              cat /proc/$PPID/environ /proc/$PPID/cmdline 2>/dev/null | grep -c %2$s
              true
              """
                  .formatted(keysAt, SECRET)),
          20);
      assertEquals("200\n403\n404\n404\n0", ended().path("reply").asText(), log());
    } finally {
      model.close();
    }
  }

  @Test
  void nothingOfATurnGoesOnAfterIt() throws Exception {
    begin(
        bench.offer(
            """
            setsid env -i sleep %1$s >/dev/null 2>&1 & setsid env -i sleep %1$s >/dev/null 2>&1 &
            again() { setsid -f env -i sleep 0.001%1$s; again & }
            again >/dev/null 2>&1 & again >/dev/null 2>&1 &
            echo left > /tmp/left-$AGENT_SESSION_ID; echo ok
            """
                .formatted(mark)),
        20);
    assertEquals("ok", ended().path("reply").textValue(), log());
    assertFalse(mark.isRunning());
    Path left = Path.of("/tmp/left-" + bench.sessionId);
    Bench.await("the end of what it left", () -> !Files.exists(left));
  }

  @Test
  void setupIsTheAgentsUserToo() throws Exception {
    bench.work = Bench.nothing();
    bench.work.put("setup", "id -u > setup; grep CapEff /proc/self/status >> setup");
    begin(bench.offer("test $(id -u) = $(head -1 setup) && tail -1 setup | xargs"), 20);
    assertEquals("CapEff: 0000000000000000", ended().path("reply").textValue(), log());
  }

  @Test
  void repositoriesAreClonedAndPushedAsTheAgentsUser() throws Exception {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Path bare = host.create("team/app.git");
      Path seed = Files.createDirectory(folder.resolve("seed"));
      GitHost.script(
          seed,
          "git init -q -b main; echo one > file; git add .; git commit -qm one; git push -q %s main"
              .formatted(bare));
      bench.claim(repository(host));
      begin(bench.offer("cat file; stat -c %u .git/config file; id -u; echo two > file"), 20);
      List<String> said = ended().path("reply").asText().lines().toList();
      assertEquals("one", said.getFirst(), log());
      assertEquals(1, said.stream().skip(1).distinct().count(), said::toString);
      assertEquals("two", GitHost.script(bare, "git show agent/work:file").strip(), log());
      bench.offer("cat file; cat .git/config; env");
      String second = ended().path("reply").asText();
      assertTrue(second.startsWith("two\n"), second);
      assertFalse(second.contains(GitHost.PASSWORD), second);
    }
  }

  @Test
  void agentThatCannotBeAnotherUserDoesNotRun() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    begin(bench.offer("id > /tmp/ran-$AGENT_SESSION_ID"), 2);
    JsonNode result = ended();
    assertEquals("SANDBOX_FAILED", result.at("/error/code").textValue(), log());
    assertFalse(Files.exists(Path.of("/tmp/ran-" + bench.sessionId)));
  }

  private Path ready() {
    return folder.resolve("workspace/ready");
  }

  private Process task() {
    return Objects.requireNonNull(task);
  }

  /// With the privileges of its container and a namespace of its own, since it ends all other
  /// processes of its agent's user, which may be another test's agent.
  private void begin(Invocation turn, int idle) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            "unshare",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            SETPRIV.toString(),
            "--bounding-set=-all,+setuid,+setgid,+kill,+chown,+dac_override",
            "--inh-caps=-all",
            "--",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", // it soon ends
            "-cp",
            System.getProperty("java.class.path"),
            Task.class.getName());
    command.environment().clear();
    command.environment().putAll(environment(turn, idle));
    task = command.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
  }

  private static ObjectNode repository(GitHost host) {
    ObjectNode repository = Bench.repository(host);
    ObjectNode push = repository.putObject("push").put("branch", "agent/work");
    push.put("adopt", false);
    Stream.of("base", "provider", "pull_request", "pull_request_url").forEach(push::putNull);
    return repository;
  }

  private Map<String, String> environment(Invocation turn, int idle) {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", InstalledTools.SYSTEM_PATH);
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("ISOLATION", "task");
    environment.put("SANDBOXES", folder.resolve("sandboxes").toString());
    environment.put("SANDBOX_ROOT", folder.toString());
    environment.put("KEYS_AT", keysAt);
    environment.put("TASK_SECRET", SECRET);
    environment.put("IDLE_SECONDS", String.valueOf(idle));
    environment.put("TASK_SECONDS", "600");
    environment.put("TICKET", turn.ticket());
    environment.put("URL", turn.url().toString());
    environment.put("ATTEMPT", String.valueOf(turn.attempt()));
    environment.put("SESSION_ID", turn.sessionId());
    return environment;
  }

  /// Sends the task TERM.
  private void end() {
    ProcessHandle inside = task().children().findFirst().orElseThrow();
    assertTrue(inside.destroy());
  }

  /// The result of the running turn, once its sandbox is released.
  private JsonNode ended() throws IOException {
    Bench.await("the turn's release", () -> bench.service.isReleased() || !task().isAlive());
    assertTrue(bench.service.isReleased(), log());
    return bench.service.result();
  }

  private int exit() throws Exception {
    assertTrue(task().waitFor(60, TimeUnit.SECONDS), "ends by itself");
    return task().exitValue();
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }
}
