package agentsessions.runner.network.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.StandIn;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gate in front of the tools of a real process in a sandbox: a script that calls tools as an
/// agent does, asks as a hook does, and prints what an agent prints.
class ToolGateTest {
  private static final String AGENT =
      """
      ask() { printf '{"tool_use_id":"%s","tool_name":"%s","tool_input":%s}' "$@" | $AGENT_GATE 2>why; }
      began() { printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"%s","name":"%s","input":%s}]}}\\n' "$@"; }
      ended() { printf '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"%s","is_error":%s,"content":"%s"}]}}\\n' "$@"; }
      reply() { printf '{"type":"result","is_error":false,"result":"%s"}\\n' "$*"; }
      """;

  @TempDir Path folder;
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.sandboxed(folder);
    ObjectNode claude = Bench.entry("claude");
    for (String field : new String[] {"reply", "error", "events", "gate"}) {
      bench.entry.set(field, claude.get(field));
    }
    bench.entry.withObject("/gate/questions").remove("command");
    bench.entry.withObject("/gate").remove("parks");
    bench.work = Bench.nothing();
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    ObjectNode rule = permissions.putArray("rules").addObject().put("kind", "execute");
    rule.put("match", "*rm *").put("policy", "deny");
    permissions.withArray("rules").addObject().put("tool", "Ask").put("policy", "ask");
    permissions.put("hold_seconds", 30);
  }

  @Test
  void aPersonDecidesWhileTheHookWaits() throws IOException {
    bench.mask("topsecret");
    bench.service.decider().decides(2, "allow", null);
    bench.service.decider().decides(1, "deny", "not on a Friday");
    JsonNode result =
        run(
            """
            began 1 Ask '{"a":1,"of":"topsecret"}'; ask 1 Ask '{"of":"topsecret","a":1}'; one=$?; ended 1 false ok
            began 2 Ask '{}'; ask 2 Ask '{}'; two=$?; ended 2 true denied
            reply "$one $two $(cat why)"
            """);
    assertEquals("0 2 Denied: not on a Friday", result.get("reply").textValue(), result::toString);
    JsonNode asked = bench.service.decider().asked().getFirst();
    assertEquals("1#1 Ask other", words(asked, "call", "tool", "kind"));
    assertEquals("Ask {\"of\":\"***\",\"a\":1}", asked.get("title").textValue());
    assertEquals("{\"of\":\"***\",\"a\":1}", asked.get("input").textValue());
    // printf 'other\nAsk\n{"a":1,"of":"topsecret"}' | sha256sum
    assertEquals(
        "b8551a0544128b2a2d0bd50d6265e7a4979e026f288eee21cda5ee6150d1de56",
        asked.get("fingerprint").textValue());
    assertEquals(
        List.of(), bench.service.events().stream().filter(event -> has(event, "message")).toList());
    assertFalse(bench.said().contains("topsecret"), bench.said());
  }

  private static final String ASKS =
      "ask 1 AskUserQuestion '{\"questions\":[{\"question\":\"Which of topsecret?\",\"options\":[{\"label\":\"Blue\"},{\"label\":\"topsecret\"}]}]}'";

  @Test
  void aPersonAnswersWhatTheAgentAsks() throws IOException {
    bench.mask("topsecret");
    ((ObjectNode) bench.work.get("permissions")).put("questions", true);
    bench.service.decider().answers("1", "***");
    JsonNode result = run(ASKS + "; reply \"$? $(tr -d '\"' <why)\"");
    // masked in the reply, as it was in the question: the agent has heard its own words
    assertEquals(
        "2 A person has answered: Which of ***?=***. Go on with that.",
        result.get("reply").textValue());
    assertTrue(Files.readString(bench.work("why")).contains("?\"=\"topsecret\""));
    JsonNode asked = bench.service.decider().asked().getFirst();
    assertEquals("Which of ***?", asked.get("title").textValue());
    assertEquals(
        "[{\"id\":\"1\",\"text\":\"Which of ***?\",\"options\":[{\"value\":\"Blue\",\"label\":\"Blue\",\"description\":\"\"},{\"value\":\"***\",\"label\":\"***\",\"description\":\"\"}],\"multiple\":false,\"free_text\":true}]",
        asked.get("questions").toString());
  }

  @Test
  void whereNobodyAnswersTheAgentIsToldSo() throws IOException {
    ObjectNode permissions = (ObjectNode) bench.work.get("permissions");
    JsonNode refused = run(ASKS + "; reply \"$? $(cat why)\"");
    String goOn = "State the assumption that you make, and go on.";
    assertEquals("2 No person is there to answer. " + goOn, refused.get("reply").textValue());
    permissions.put("questions", true);
    bench.service.decider().decides(1, "deny", "not today");
    JsonNode denied = run(ASKS + "; reply \"$? $(cat why)\"");
    assertEquals("2 Nobody answers: not today. " + goOn, denied.get("reply").textValue());
    JsonNode odd =
        run(
            """
            began 1 AskUserQuestion '{"questions":[]}'; ask 1 AskUserQuestion '{"questions":[]}'; one=$?; ended 1 true "$(cat why)"
            reply "$one $(cat why)"
            """);
    assertEquals(
        "2 The call's input could not be read.", odd.path("reply").textValue(), odd::toString);
  }

  @Test
  void anInterruptedQuestionIsNotAnswered() {
    ((ObjectNode) bench.work.get("permissions")).put("questions", true);
    interruptedOnce(() -> !bench.service.decider().asked().isEmpty(), ASKS + " && touch ran");
    assertEquals(1, bench.service.decider().asked().size());
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void aCallThatWasAllowedEndsWithItsInterruptedTurn() {
    bench.service.decider().decides(1, "allow", null);
    interruptedOnce(
        () -> Files.exists(bench.work("began")),
        "began 1 Ask '{}'; ask 1 Ask '{}' && touch began; sleep 60; touch ran; ended 1 false ok");
    assertFalse(Files.exists(bench.work("ran")));
    assertFalse(bench.said().contains("UNAPPROVED"), bench.said());
  }

  /// Runs a turn that is interrupted once something has happened, and never has a result.
  private void interruptedOnce(BooleanSupplier happened, String script) {
    CompletableFuture<Void> turn = bench.start(AGENT + script + "; sleep 60; reply never");
    Bench.await("what is interrupted", happened);
    bench.service.interrupt();
    Bench.await("the turn's end", turn::isDone);
    turn.join();
    assertTrue(bench.service.isReleased());
    assertTrue(bench.service.result().isMissingNode(), bench.service.result()::toString);
    assertFalse(bench.isInSandbox("sleep"));
  }

  @Test
  void whatNobodyAnswersEndsTheTurn() throws IOException {
    ((ObjectNode) bench.work.get("permissions")).put("questions", true);
    holdSeconds(1);
    JsonNode result = run(ASKS + " && touch ran; sleep 60; reply never");
    assertEquals("Nobody answered within 1 s.", result.at("/error/message").textValue());
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void whatNobodyDecidesEndsTheTurn() throws IOException {
    holdSeconds(1);
    JsonNode result = run("ask 1 Ask '{}' && touch ran; sleep 60; reply never");
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertEquals(
        "Nobody decided within 1 s whether this call of Ask may run.",
        result.at("/error/message").textValue());
    assertTrue(result.at("/error/retryable").booleanValue());
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void aDecisionWinsAgainstTheExpiry() throws IOException {
    holdSeconds(1);
    bench.service.decider().decides(1000, "allow", null);
    assertEquals("0", run("ask 1 Ask '{}'; reply $?").get("reply").textValue());
  }

  /// The stand-in has one request at a time; an id that comes again is asked about again.
  @Test
  void oneCallIsAskedAboutAfterTheOther() throws IOException {
    bench.service.decider().decides(2, "allow", null);
    bench.service.decider().decides(2, "deny", null);
    bench.service.decider().decides(0, "allow_session", null);
    JsonNode result =
        run(
            """
            { ask 1 Ask '{}'; echo $? >one; } & { ask 1 Ask '{}'; echo $? >two; } & wait
            ask 3 Ask '{}'; reply "$(sort one two | tr -d '\n') $?"
            """);
    assertEquals("02 0", result.get("reply").textValue(), result::toString);
    assertEquals(
        List.of("1#1", "1#2", "3#1"),
        bench.service.decider().asked().stream().map(each -> words(each, "call")).toList());
  }

  /// Nobody was asked, so that no request says it.
  @Test
  void aRefusalToAskIsInTheTranscript() throws IOException {
    bench.service.decider().decides(0, "deny", "too many");
    assertEquals("2", run("ask 1 Ask '{}'; reply $?").get("reply").textValue());
    assertTrue(bench.said().contains("Denied: too many"), bench.said());
  }

  @Test
  void nothingButADecisionIsConsent() throws IOException {
    bench.service.decider().turns(1, "closed");
    String large = "head -c 300000 /dev/zero | tr '\\0' x";
    JsonNode result =
        run(
            """
            ask 1 Ask '{}'; all="$? "
            { printf '{"tool_use_id":"2","tool_name":"Ask","tool_input":"'; %s; printf '"}'; } | $AGENT_GATE; all+=$?
            reply "$all"
            """
                .formatted(large));
    assertEquals("2 2", result.get("reply").textValue(), result::toString);
    assertEquals(1, bench.service.decider().asked().size(), "the large one is shown to nobody");
  }

  /// The service may hold it all the same, which the end of the turn ends.
  @Test
  void whereTheServiceCannotBeAskedACallExpires() throws IOException {
    holdSeconds(1);
    bench.service.fault("requests", Collections.nCopies(100, StandIn.Fault.UNAVAILABLE));
    JsonNode result = run("ask 1 Ask '{}' && touch ran; sleep 60; reply never");
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void anAnswerThatIsLostIsAskedForAgain() throws IOException {
    bench.service.decider().decides(1, "allow", null);
    bench.service.fault("requests", StandIn.Fault.NEVER);
    assertEquals("0", run("ask 1 Ask '{}'; reply $?").get("reply").textValue());
    assertEquals(1, bench.service.decider().asked().size());
  }

  /// The agent may take eight seconds, and waits for nine.
  @Test
  void heldTimeIsNotTheAgents() throws IOException {
    bench.entry.put("time_limit_seconds", 8);
    bench.service.decider().decides(19, "allow", null);
    assertEquals("0", run("ask 1 Ask '{}'; reply $?").get("reply").textValue());
  }

  private static boolean has(JsonNode event, String type) {
    return event.get("type").textValue().equals(type);
  }

  private void holdSeconds(int seconds) {
    ((ObjectNode) bench.work.get("permissions")).put("hold_seconds", seconds);
  }

  private static String words(JsonNode request, String... fields) {
    return Stream.of(fields)
        .map(field -> request.get(field).textValue())
        .collect(Collectors.joining(" "));
  }

  @Test
  void theHookHearsTheVerdictAndItsReason() throws IOException {
    JsonNode result =
        run(
            """
            began 1 Bash '{"command":"ls"}'; ask 1 Bash '{"command":"ls"}'; one=$?; ended 1 false ok
            began 2 Bash '{"command":"rm x"}'; ask 2 Bash '{"command":"rm x"}'; two=$?; ended 2 true "$(cat why)"
            reply "$one $two $(cat why)"
            """);
    assertEquals(
        "0 2 The permissions of this session do not allow this call of Bash (rule 1, kind execute).",
        result.get("reply").textValue(),
        result::toString);
  }

  @Test
  void whatTheGateCannotReadIsDenied() throws IOException {
    JsonNode result =
        run(
            """
            all=
            echo nothing | $AGENT_GATE 2>&1; all+=$?
            $AGENT_GATE </dev/null 2>&1; all+=$?
            { printf '{"tool_use_id":"1","tool_name":"Bash","tool_input":"'; head -c 64000000 /dev/zero | tr '\\0' x; printf '"}'; } | $AGENT_GATE 2>&1; all+=$?
            ${AGENT_GATE% *} 1 </dev/null 2>/dev/null; all+=$?
            BASH_ENV=<(echo exit 0) $AGENT_GATE </dev/null 2>&1; all+=$?
            reply $all
            """);
    assertEquals("22222", result.get("reply").textValue(), result::toString);
  }

  /// A megabyte of input is as good as a line.
  @Test
  void aLargeCallIsJudged() throws IOException {
    JsonNode result =
        run(
            """
            { printf '{"tool_use_id":"1","tool_name":"Write","tool_input":{"content":"'; head -c 1000000 /dev/zero | tr '\\0' x; printf '"}}'; } | $AGENT_GATE
            reply $?
            """);
    assertEquals("0", result.get("reply").textValue(), result::toString);
  }

  @Test
  void aCallThatNobodyAllowedEndsTheTurn() throws IOException {
    JsonNode result =
        run(
            """
            began 1 Bash '{"command":"ls"}'; ended 1 false ok
            sleep 60
            reply never
            """);
    assertEquals("UNAPPROVED_CALL", result.at("/error/code").textValue(), result::toString);
    assertTrue(
        result.at("/error/message").textValue().contains("a call of Bash has run")
            || result.at("/error/message").textValue().contains("A call of Bash has run"));
  }

  /// Nobody has decided, and the call has a result.
  @Test
  void anAgentWhoseWaitingHookIsKilledIsFoundOut() {
    CompletableFuture<Void> turn =
        bench.start(AGENT + "began 1 Ask '{}'; ask 1 Ask '{}'; ended 1 false ok; sleep 60");
    Bench.await("its request", () -> !bench.service.decider().asked().isEmpty());
    bench.killHook();
    turn.join();
    JsonNode result = bench.service.result();
    assertEquals("UNAPPROVED_CALL", result.at("/error/code").textValue(), result::toString);
    assertEquals(1, bench.service.decider().asked().size());
  }

  @Test
  void whatTheAgentRefusesItselfHasNotRun() throws IOException {
    JsonNode result =
        run("began 1 Nope '{}'; ended 1 true '<tool_use_error>No such tool'; reply fine");
    assertEquals("fine", result.get("reply").textValue(), result::toString);
    JsonNode lied =
        run("began 1 Bash '{}'; ended 1 false '<tool_use_error>said a command'; reply no");
    assertEquals("UNAPPROVED_CALL", lied.at("/error/code").textValue(), lied::toString);
  }

  @Test
  void theAgentCannotChangeItsHook() throws IOException {
    JsonNode result =
        run(
            """
            settings=/etc/claude-code/managed-settings.json
            all=
            for file in $settings ${AGENT_GATE% *}; do
              { echo x >$file; } 2>/dev/null; all+=$?
              rm -f $file 2>/dev/null; all+=$?
              mv $file $file.x 2>/dev/null; all+=$?
            done
            reply "$all $(grep -c "$AGENT_GATE" $settings)"
            """);
    assertEquals("111111 1", result.get("reply").textValue(), result::toString);
  }

  @Test
  void withoutPermissionsThereIsNoGate() throws IOException {
    bench.work = Bench.nothing();
    JsonNode result =
        run(
            "began 1 Bash '{}'; ended 1 false ok; reply \"${AGENT_GATE-none} $(ls /etc/claude-code 2>&1)\"");
    assertTrue(result.get("reply").textValue().startsWith("none ls: cannot access"));
  }

  @Test
  void anAgentWithoutAGateRunsUnderNoPermissions() throws IOException {
    bench.entry.remove("gate");
    JsonNode result = run("reply no");
    assertEquals("AGENT_NOT_AVAILABLE", result.at("/error/code").textValue(), result::toString);
  }

  @Test
  void withoutASandboxNothingRunsUnderPermissions() throws IOException {
    try (Bench open = Bench.unconfined(folder.resolve("open"))) {
      open.entry.set("gate", bench.entry.get("gate"));
      open.work = bench.work;
      JsonNode result = open.run("echo no");
      assertEquals("AGENT_NOT_AVAILABLE", result.at("/error/code").textValue(), result::toString);
    }
  }

  private JsonNode run(String script) throws IOException {
    return bench.run(AGENT + script);
  }
}
