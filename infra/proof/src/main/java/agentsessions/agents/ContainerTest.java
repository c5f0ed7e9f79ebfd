package agentsessions.agents;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.Task;

/// Sessions in containers of their own on this machine's Docker, through the API; and the view that
/// an untrusted agent has there. Run by `.ci/containers`.
@Tag("agents")
@Tag("deep")
@EnabledIfEnvironmentVariable(
    named = "TASK_IMAGE",
    matches = ".+",
    disabledReason = "needs Docker and an image: TASK_IMAGE=$(scripts/image)")
final class ContainerTest {
  private static final String CATALOGUE =
      """
      probe:
        description: Runs the message as a script.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        events: [{type: output}]
      asks:
        description: The same, with a model.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        network: model
        model:
          url: ${ANTHROPIC_BASE_URL}
          headers: {x-api-key: "${ANTHROPIC_API_KEY}"}
          allow: [POST /v1/messages]
          dialect: anthropic
          counted: [POST /v1/messages]
      lacks:
        description: Not in the image.
        command: [no-such-command]
        reply: {from: stdout}
      """;

  @TempDir static Path data;
  private static ScriptedService scripted;
  private Client client;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue =
        Files.writeString(
            data.resolve("agents.yaml"),
            Files.readString(Path.of("../../infra/agents.yaml")) + CATALOGUE);
    scripted =
        ScriptedService.start(
            data,
            Map.of(
                Settings.ENGINE,
                "container",
                Settings.IMAGE,
                System.getenv("TASK_IMAGE"),
                Settings.AGENTS_FILE,
                catalogue.toString()));
  }

  @AfterAll
  static void stop() throws Exception {
    scripted.close();
    assertEquals("", docker("ps", "--all", "--quiet", "--filter", label()), "containers are left");
  }

  @BeforeEach
  void open(TestInfo test) {
    String key = scripted.service().createKey("task-" + test.getDisplayName().hashCode());
    client = Client.of(scripted.service().baseUrl(), List.of(key)).patient();
  }

  @Test
  void theAgentsOfTheImageAreOffered() {
    List<String> offered = client.get("/agents").ok().path("items").findValuesAsText("name");
    assertTrue(offered.containsAll(List.of("shell", "asks", "probe")), offered::toString);
    assertFalse(offered.contains("lacks"), offered::toString);
  }

  @Test
  void aClientTokenStartsOneTask() {
    try (EcsClient ecs = ecs()) {
      String task = started(ecs, "one");
      assertEquals(task, started(ecs, "one"));
      assertNotEquals(task, started(ecs, "another"));
      Task stopped = stopped(ecs, task);
      assertEquals("runner", stopped.containers().getFirst().name());
      assertEquals(0, stopped.containers().getFirst().exitCode()); // its turn does not exist
      assertEquals(
          "MISSING", ecs.describeTasks(of -> of.tasks("none")).failures().getFirst().reason());
    }
  }

  @Test
  void aTaskThatIsStoppedBeforeItRunsNeverDoes() {
    try (EcsClient ecs = ecs()) {
      String task = started(ecs, "stopped");
      assertEquals(task, ecs.stopTask(of -> of.task(task).reason("enough")).task().taskArn());
      assertEquals("enough", stopped(ecs, task).stoppedReason());
    }
  }

  @Test
  void nothingOfTheServiceOrOfAnotherSessionCanBeRead() {
    SessionHandle victim =
        client.create("probe", "echo word-of-the-victim > mine; id -u; echo done");
    assertTrue(victim.first().completed().endsWith("done"), victim.id());
    // The pattern is written in two halves and with brackets, or the script would find itself.
    String script =
        """
        [ "$(id -u)" != 0 ] || echo "is root"
        others=0
        for process in /proc/[0-9]*; do
          [ "$(stat -c %%u "$process")" != "$(id -u)" ] || continue
          others=$((others + 1))
          for file in environ mem; do (: <"$process/$file") 2>/dev/null && echo "opens $process/$file"; done
        done
        [ "$others" -gt 0 ] || echo "sees no runner"
        grep -q 'CapBnd:.*[1-9a-f]' /proc/self/status && ! grep -q 'NoNewPrivs:.*1' /proc/self/status && echo "may have more"
        word=word-of-the; key=%s
        grep -rslE "$word-victim|${key}" / --exclude-dir=proc --exclude-dir=sys && echo "reads files"
        [ "$(ls /sandboxes 2>/dev/null | grep -c '^[0-9a-f]*-.*-')" -le 1 ] || echo "sees sessions"
        echo done
        """
            .formatted(ScriptedService.KEY);
    assertEquals("done", client.create("probe", script).first().completed());
  }

  @Test
  void noMetadataCanBeReached() {
    String script =
        """
        try() { timeout 3 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "reaches $1:$2"; }
        try 169.254.169.254 80; try 169.254.170.2 80
        echo done
        """;
    assertEquals("done", client.create("probe", script).first().completed());
  }

  @Test
  void theNextTurnFindsItsFilesInTheSameTask() {
    SessionHandle session = client.create("probe", "echo word > kept; hostname");
    String first = session.first().completed();
    assertEquals(first + "\nword", session.send("hostname; cat kept").completed());
  }

  /// Two tasks, one after the other: a path that an agent noted in the first is right in the
  /// second.
  @Test
  void theFolderHasTheSamePathInEveryTask() throws Exception {
    String places = "cat kept; hostname; pwd -P; (cd && pwd -P); echo $AGENT_WORKSPACE";
    SessionHandle session = client.create("probe", "echo word > kept; " + places);
    List<String> first = session.first().completed().lines().toList();
    assertNotEquals("", docker("stop", newest()));
    List<String> second = session.send(places).completed().lines().toList();
    assertNotEquals(first.get(1), second.get(1), "one task ran both turns");
    List<String> expected = List.of("/workspace", "/home/agent", "/workspace");
    assertEquals(expected, first.subList(2, first.size()));
    assertEquals(expected, second.subList(2, second.size()));
    assertEquals("word", second.getFirst());
  }

  @Test
  void aFollowUpToATurnThatRunsIsTakenByItsTask() {
    SessionHandle session =
        client.create("probe", "hostname >name; echo noted; echo and; sleep 600");
    session.first().awaitTranscript("noted");
    TurnHandle next = session.send("cat name; hostname");
    List<String> names = next.completed().lines().toList();
    assertEquals(2, names.size(), names.toString());
    assertEquals(names.getFirst(), names.getLast());
  }

  @Test
  void aModelIsAskedWithAKeyThatTheAgentDoesNotHave() {
    String script =
        """
        body='{"model":"claude-haiku-5-5","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"Hi."}]}'
        exec 3<>/dev/tcp/127.0.0.1/$AGENT_MODEL_PORT
        printf 'POST /v1/messages HTTP/1.1\\r\\nHost: model\\r\\nConnection: close\\r\\nagent-model-secret: %s\\r\\nanthropic-version: 2023-06-01\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n%s' \\
          "$AGENT_MODEL_SECRET" ${#body} "$body" >&3
        head -n 1 <&3
        env
        """;
    String said = client.create("asks", script).first().completed();
    assertTrue(said.startsWith("HTTP/1.1 200"), said);
    assertFalse(said.contains(ScriptedService.KEY), said);
    assertEquals(List.of(ScriptedService.KEY), scripted.model().keys());
  }

  @Test
  void aRealAgentWorksInTheImageThatHasIt() {
    SessionHandle session =
        scripted
            .clientOf("claude")
            .create("claude", "I am Ada. [[sh cat /proc/*/environ >seen.txt; id -u >me.txt]]");
    assertEquals("You said: I am Ada.", session.first().completed());
    String seen = PresignedLink.content(session.artifactAt("/workspace/seen.txt"));
    assertTrue(seen.contains("AGENT_MODEL_URL="), seen);
    assertFalse(seen.contains(ScriptedService.KEY), seen);
    assertNotEquals("0\n", PresignedLink.content(session.artifactAt("/workspace/me.txt")));
    assertEquals("The first was: I am Ada.", session.send("Who am I? [[recall]]").completed());
  }

  /// Its task is gone while a person decides; the decision starts another.
  @ParameterizedTest
  @ValueSource(strings = {"shell", "claude"})
  void aCallThatWaitsIsMadeInAnotherTask(String agent) throws Exception {
    String command = "hostname >>a.txt";
    SessionHandle session =
        scripted
            .clientOf(agent)
            .create(
                agent,
                agent.equals("shell") ? command : "[[sh " + command + "]] [[results]]",
                Map.of("permissions", Map.of("default", "ask", "hold_seconds", 0)));
    JsonNode request = session.pending();
    String task = newest();
    String _ =
        await("an end of the task", Duration.ofMinutes(2), Duration.ofMillis(500))
            .until(() -> docker("ps", "--quiet", "--filter", "id=" + task), String::isEmpty);
    assertEquals("requires_action", session.load().path("status").asText());
    Object _ = session.client().decide(request, Map.of("decision", "allow")).ok();
    session.first().completed();
    String said = PresignedLink.content(session.artifactAt("/workspace/a.txt"));
    assertEquals(1, said.lines().count(), said);
  }

  @Test
  void aCallIsHeldUntilAPersonDecides() {
    SessionHandle session =
        client.create("shell", "echo done", Map.of("permissions", Map.of("default", "ask")));
    Map<String, Object> no = Map.of("decision", "deny", "note", "not on a Friday");
    Object _ = session.client().decide(session.pending(), no).ok();
    String said = session.first().ended().toString();
    assertTrue(said.contains("not on a Friday"), said);
  }

  /// Nothing is between a container and the network, so nothing could hold to such a rule.
  @Test
  void rulesForHostsAreRefused() {
    Map<String, Object> rules = Map.of("rules", List.of(Map.of("kind", "host", "policy", "deny")));
    client
        .post("/sessions", Map.of("agent_name", "shell", "message", "true", "permissions", rules))
        .invalid("permissions.rules");
  }

  @Test
  void theEndOfAContainerIsTheEndOfItsTurn() throws Exception {
    SessionHandle session = client.create("probe", "sleep 600");
    TurnHandle turn = session.first().running();
    assertNotEquals("", docker("kill", newest()));
    assertTrue(turn.ended().toString().contains("failed"), session.id());
  }

  @Test
  void theTaskOfADeletedSessionIsStopped() throws Exception {
    SessionHandle session = client.create("probe", "sleep 600");
    TurnHandle _ = session.first().running();
    String task = newest();
    Object _ = client.delete(session.path()).expect(204);
    String _ =
        await("an end of the task", Duration.ofMinutes(2), Duration.ofMillis(500))
            .until(() -> docker("ps", "--quiet", "--filter", "id=" + task), String::isEmpty);
  }

  /// The id of the runner's container that was started last.
  private static String newest() throws Exception {
    return docker("ps", "--quiet", "--filter", label(), "--filter", "name=-runner", "--latest");
  }

  private static EcsClient ecs() {
    return EcsClient.builder().httpClientBuilder(Apache5HttpClient.builder()).build();
  }

  /// Starts a task with a ticket that the service has never issued.
  private static String started(EcsClient ecs, String token) {
    ContainerOverride runner =
        container(
            "runner",
            Map.of(
                "TICKET", "w.s.t.1-none",
                "URL", scripted.service().runnerUrl() + "/runner/v1",
                "SESSION_ID", "00000000-0000-4000-8000-000000000000",
                "TASK_SECRET", "0123456789abcdef0123456789abcdef"));
    ContainerOverride proxy =
        container("proxy", Map.of("TASK_SECRET", "0123456789abcdef0123456789abcdef"));
    return ecs.runTask(of ->
            of.cluster("local")
                .taskDefinition("local")
                .clientToken(token)
                .overrides(all -> all.containerOverrides(runner, proxy)))
        .tasks()
        .getFirst()
        .taskArn();
  }

  private static ContainerOverride container(String name, Map<String, String> environment) {
    return ContainerOverride.builder()
        .name(name)
        .environment(
            environment.entrySet().stream()
                .map(each ->
                    KeyValuePair.builder().name(each.getKey()).value(each.getValue()).build())
                .toList())
        .build();
  }

  private static Task stopped(EcsClient ecs, String task) {
    return await("an end of the task", Duration.ofMinutes(2), Duration.ofMillis(200))
        .until(
            () -> ecs.describeTasks(of -> of.cluster("local").tasks(task)).tasks().getFirst(),
            found -> found.lastStatus().equals("STOPPED"));
  }

  private static String label() {
    return "label=agent-sessions.data=" + data;
  }

  private static String docker(String... words) throws Exception {
    String[] line = new String[words.length + 1];
    line[0] = "docker";
    System.arraycopy(words, 0, line, 1, words.length);
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
