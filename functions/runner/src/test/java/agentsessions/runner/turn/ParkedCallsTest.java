package agentsessions.runner.turn;

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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Turns whose call waits for longer than their agent: parked by one runner, and gone on with by
/// another. The agent is a script that asks as a hook does, prints what claude prints, and keeps a
/// call as claude does.
class ParkedCallsTest {
  private static final String ASKS =
      """
      ask() { printf '{"tool_use_id":"%s","tool_name":"%s","tool_input":%s}' "$@" | $AGENT_GATE >heard 2>why; }
      began() { printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"%s","name":"%s","input":%s}]}}\\n' "$@"; }
      ended() { printf '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"%s","is_error":%s,"content":"%s"}]}}\\n' "$@"; }
      reply() { printf '{"type":"result","is_error":false,"result":"%s"}\\n' "$*"; }
      defer() { grep -q '"defer"' heard && touch kept && echo '{"type":"result","is_error":false,"stop_reason":"tool_deferred","result":""}' && exit 0; }
      """;

  /// Makes one call, which it keeps, and makes it once more when it has been started again.
  private static final String KEEPS =
      ASKS
          + """
          [ -e kept ] || began 1 Ask '{"a":1}'
          ask 1 Ask '{"a":1}'; status=$?
          defer
          [ $status = 0 ] && echo ran >>ran
          [ $status = 0 ] && ended 1 false ok || ended 1 true "<tool_use_error>$(cat why)"
          """;

  /// What claude does as it starts, and ends after it where it has no message.
  private static final String MAKES_IT_FIRST =
      ASKS
          + """
          if [ -e kept ]; then
            rm kept; ask 1 Ask '{"a":1}'; status=$?
            [ $status = 0 ] && { echo ran >>ran; ended 1 false ok; } || ended 1 true "$(cat why)"
            echo "$status $(cat why)" >settled
            grep -q . /dev/stdin || { reply settled; exit; }
          fi
          """;

  @TempDir Path folder;
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = claude(Bench.sandboxed(folder));
  }

  private static Bench claude(Bench bench) throws IOException {
    ObjectNode claude = Bench.entry("claude");
    for (String field : new String[] {"reply", "error", "events", "gate"}) {
      bench.entry.set(field, claude.get(field));
    }
    bench.entry.withObject("/gate/questions").remove("command");
    bench.work = Bench.nothing();
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    permissions.putArray("rules").addObject().put("tool", "Ask").put("policy", "ask");
    permissions.put("hold_seconds", 0);
    return bench;
  }

  @Test
  void theCallThatNobodyDecidedUponRunsOnceItIsAllowed() throws IOException {
    String script = KEEPS + "reply \"$status $(cat ran)\"";
    assertTrue(bench.run(script).isMissingNode());
    assertTrue(asked(0).get("parkable").booleanValue());
    assertEquals(1, bench.service.calls("parking"));
    assertEquals(0, bench.service.calls("release"), "the sandbox is let go with it");
    assertFalse(bench.service.parking().get("untouched").booleanValue());
    assertFalse(Files.exists(bench.work("ran")));
    List<JsonNode> before = bench.service.events();
    assertEquals(1, before.size(), before::toString);
    JsonNode result = bench.goOn(script, Map.of("decision", "allow"));
    assertEquals("0 ran", result.get("reply").textValue(), result::toString);
    assertEquals(1, bench.service.decider().asked().size(), "nobody is asked again");
    assertEquals(before, bench.service.events().subList(0, 1));
    assertTrue(text(1).contains("\"id\":\"1\",\"name\":\"Ask\""), text(1));
    assertTrue(text(1).contains("\"status\":\"ok\""), text(1));
  }

  @Test
  void aDenialIsHeardByTheAgentThatGoesOn() throws IOException {
    String script = KEEPS + "reply \"$status $(cat why)\"";
    assertTrue(bench.run(script).isMissingNode());
    JsonNode result = bench.goOn(script, Map.of("decision", "deny", "note", "not on a Friday"));
    assertEquals("2 Denied: not on a Friday", result.get("reply").textValue(), result::toString);
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void anAnswerIsHeardByTheAgentThatGoesOn() throws IOException {
    ((ObjectNode) bench.work.get("permissions")).put("questions", true);
    String script =
        ASKS
            + """
            ask 1 AskUserQuestion '{"questions":[{"question":"Which colour?","options":[{"label":"Blue"}]}]}'
            defer
            reply "$(tr -d '"' <why)"
            """;
    assertTrue(bench.run(script).isMissingNode());
    JsonNode result =
        bench.goOn(script, Map.of("decision", "allow", "answers", Map.of("1", List.of("Blue"))));
    assertEquals(
        "A person has answered: Which colour?=Blue. Go on with that.",
        result.get("reply").textValue(),
        result::toString);
  }

  /// What was allowed is one call with one input, and later requests have names of their own.
  @ParameterizedTest
  @CsvSource({"{\"a\":1}, 1#2.2", "{\"a\":2}, 1#2.2"})
  void whatWasAllowedIsOneCall(String input, String name) throws IOException {
    String script =
        KEEPS + "ask 1 Ask '" + input.replace("\"\"", "\"") + "' && touch again; reply $?";
    assertTrue(bench.run(script).isMissingNode());
    bench.service.decider().decides(0, "deny", null);
    JsonNode result = bench.goOn(script, Map.of("decision", "allow"));
    assertEquals("2", result.get("reply").textValue(), result::toString);
    assertEquals(name, asked(1).get("call").textValue());
    assertFalse(Files.exists(bench.work("again")));
  }

  /// The call has the same id, and is not the one that a person has seen.
  @Test
  void aCallThatWasChangedMeanwhileIsAskedAboutAnew() throws IOException {
    String script =
        ASKS
            + """
            input='{"a":1}'; [ -e kept ] && input='{"a":2}'
            ask 1 Ask "$input"; status=$?
            defer
            [ $status = 0 ] && touch ran
            reply $status
            """;
    assertTrue(bench.run(script).isMissingNode());
    bench.service.decider().decides(0, "deny", null);
    JsonNode result = bench.goOn(script, Map.of("decision", "allow"));
    assertEquals("2", result.get("reply").textValue(), result::toString);
    assertEquals("{\"a\":2}", asked(1).get("input").textValue());
    assertFalse(Files.exists(bench.work("ran")));
  }

  /// It answers in the place of the person, while it says that it keeps the call.
  @Test
  void anAgentThatMakesTheCallThatItKeepsIsFoundOut() throws IOException {
    String script = KEEPS.replace("defer\n", "ended 1 false ok; defer\n");
    JsonNode result = bench.run(script);
    assertEquals("UNAPPROVED_CALL", result.at("/error/code").textValue(), result::toString);
    assertEquals(0, bench.service.calls("parking"));
  }

  @Test
  void aTurnIsParkedAgainForItsNextCall() throws IOException {
    String script =
        KEEPS
            + """
            began 2 Ask '{"b":2}'; rm kept; ask 2 Ask '{"b":2}'; two=$?
            defer
            ended 2 false ok; reply "$status $two"
            """;
    String resumed =
        ASKS + "ask 2 Ask '{\"b\":2}'; two=$?; ended 2 false ok; reply \"$two $(wc -l <ran)\"";
    assertTrue(bench.run(script).isMissingNode());
    assertTrue(bench.goOn(script, Map.of("decision", "allow")).isMissingNode());
    assertEquals(1, bench.service.calls("parking"));
    JsonNode result = bench.goOn(resumed, Map.of("decision", "allow"));
    assertEquals("0 1", result.get("reply").textValue(), result::toString);
  }

  /// The engine ends its runner before a person may have decided.
  @Test
  void aTurnIsParkedBeforeTheTimeOfItsRunnerIsUp() throws IOException {
    ((ObjectNode) bench.work.get("permissions")).put("hold_seconds", 900);
    bench.time = Duration.ofSeconds(16);
    String script = KEEPS + "reply \"$status $(cat ran)\"";
    JsonNode result = bench.run(script);
    assertTrue(result.isMissingNode(), result::toString);
    assertEquals(1, bench.service.calls("parking"));
  }

  /// Its hook was killed, or it went on without keeping the call: it may have made it.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAgentThatHasNotKeptItsCallFails(boolean killed) {
    ((ObjectNode) bench.work.get("permissions")).put("hold_seconds", 4);
    CompletableFuture<Void> turn =
        bench.start(ASKS + "ask 1 Ask '{}'; " + (killed ? "sleep 60" : "reply kept nothing"));
    Bench.await("its request", () -> !bench.service.decider().asked().isEmpty());
    if (killed) {
      bench.killHook();
    }
    turn.join();
    JsonNode result = bench.service.result();
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertEquals(0, bench.service.calls("parking"));
  }

  /// claude loses what an agent of its own would have kept.
  @Test
  void aTurnIsNotParkedForACallThatTheAgentCannotKeep() throws IOException {
    JsonNode result =
        bench.run(
            ASKS
                + """
                printf '{"agent_id":"a","tool_use_id":"1","tool_name":"Ask","tool_input":{}}' | $AGENT_GATE && touch ran; sleep 60
                """);
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertFalse(asked(0).has("parkable"));
    assertFalse(Files.exists(bench.work("ran")));
  }

  @Test
  void whatWaitsInLineIsToBeCalledAgain() throws IOException {
    String script =
        ASKS
            + """
            one() { printf '{"tool_use_id":"%s","tool_name":"Ask","tool_input":{}}' "$1" | $AGENT_GATE >"heard-$1" 2>"why-$1"; }
            one 1 & one 2 & wait
            cat heard-* >heard; defer; reply no
            """;
    ((ObjectNode) bench.work.get("permissions")).put("hold_seconds", 1);
    assertTrue(bench.run(script).isMissingNode());
    assertEquals(1, bench.service.decider().asked().size());
    String why = Files.readString(bench.work("why-1")) + Files.readString(bench.work("why-2"));
    assertEquals("Another call waits for a person's decision. Make this one again later.\n", why);
  }

  @Test
  void aTurnThatCannotBeParkedFails() throws IOException {
    bench.service.parksNothing();
    JsonNode result = bench.run(KEEPS);
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertEquals(
        "Nobody decided within 0 s whether this call of Ask may run.",
        result.at("/error/message").textValue());
    assertEquals(1, bench.service.calls("parking"));
    assertTrue(bench.service.calls("requests") > 1, "the request expires");
  }

  /// The request shows the decision, so the turn cannot say that there was none.
  @ParameterizedTest
  @ValueSource(strings = {"allow", "deny"})
  void aTurnThatCannotBeParkedSaysThatItsDecisionCameTooLate(String decision) throws IOException {
    bench.service.parksNothing();
    bench.service.decider().decides(100, decision, null);
    JsonNode result = bench.run(KEEPS);
    assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
    assertEquals(
        "The decision on this call of Ask came when its agent no longer waited, and the turn could not go on.",
        result.at("/error/message").textValue());
  }

  @Test
  void aLostAnswerParksOnce() throws IOException {
    bench.service.fault("parking", StandIn.Fault.DROPPED);
    assertTrue(bench.run(KEEPS).isMissingNode());
    assertEquals(2, bench.service.calls("parking"));
    assertFalse(bench.service.parking().isMissingNode());
  }

  @Test
  void theSandboxIsSavedBeforeTheTurnIsParked() throws IOException {
    try (Bench travelling = claude(Bench.sandboxedTravelling(folder.resolve("other")))) {
      String script = KEEPS + "reply \"$status $(cat ran)\"";
      assertTrue(travelling.run(script).isMissingNode());
      assertEquals(1, travelling.service.calls("parking"));
      assertEquals(1, travelling.service.calls("complete"));
      assertFalse(Files.exists(travelling.work("kept")), "nothing is left here");
      JsonNode result = travelling.goOn(script, Map.of("decision", "allow"));
      assertEquals("0 ran", result.get("reply").textValue(), result::toString);
    }
  }

  @Test
  void aTurnWhoseSandboxCannotBeSavedFails() throws IOException {
    try (Bench travelling = claude(Bench.sandboxedTravelling(folder.resolve("other")))) {
      travelling.service.objectsAnswer(403, "snapshot");
      JsonNode result = travelling.run(KEEPS);
      assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
      assertEquals(0, travelling.service.calls("parking"));
    }
  }

  /// Its turn was interrupted while its sandbox was being saved.
  @Test
  void aTurnThatIsOverIsNotParked() throws IOException {
    bench.service.fault("parking", StandIn.Fault.UNAVAILABLE);
    bench.service.endsWithParking();
    assertTrue(bench.run(KEEPS).isMissingNode());
    assertTrue(bench.service.parking().isMissingNode());
    assertEquals(1, bench.service.calls("release"));
  }

  /// Its turn was interrupted, or nobody has decided in time. The agent makes the call first when
  /// it is started again, with a message or without.
  @ParameterizedTest
  @ValueSource(strings = {"ask", "allow", "none"})
  void whatNobodyHasDecidedUponNeverRunsLater(String permissions) throws IOException {
    assertTrue(bench.run(KEEPS).isMissingNode());
    change(bench, permissions);
    JsonNode result =
        bench.run(MAKES_IT_FIRST + "reply \"$(cat ran 2>&1) gate=${AGENT_GATE:+there}\"");
    String gate = permissions.equals("ask") ? "there" : "";
    assertEquals(
        "cat: ran: No such file or directory gate=" + gate,
        result.path("reply").asText(),
        result::toString);
    assertEquals(
        "2 The turn of this call has ended",
        Files.readString(bench.work("settled")).substring(0, 33));
    assertEquals(0, bench.service.calls("requests"), "nobody is asked again");
  }

  @Test
  void whatAnAgentKeepsTravelsWithItsSandbox() throws IOException {
    try (Bench travelling = claude(Bench.sandboxedTravelling(folder.resolve("other")))) {
      assertTrue(travelling.run(KEEPS).isMissingNode());
      change(travelling, "none");
      JsonNode result = travelling.run(MAKES_IT_FIRST + "reply \"$(cat settled) $(cat ran 2>&1)\"");
      assertTrue(result.path("reply").asText().startsWith("2 The turn"), result::toString);
      assertTrue(
          result.path("reply").asText().endsWith("No such file or directory"), result::toString);
    }
  }

  /// The hook has heard that the call is kept, and the turn ends while another one still runs.
  @Test
  void whatIsKeptWhenItsTurnIsInterruptedDoesNotRunEither() throws IOException {
    bench.interrupt(ASKS + "ask 1 Ask '{\"a\":1}'; touch kept ready; sleep 300");
    change(bench, "none");
    JsonNode result = bench.run(MAKES_IT_FIRST + "reply \"$(cat settled)\"");
    assertTrue(result.path("reply").asText().startsWith("2 The turn"), result::toString);
  }

  /// It says so where it is told to go on, and takes its next message. In another conversation it
  /// may keep the call all the same.
  @Test
  void anAgentThatKeepsNothingAnyMoreGoesOn() throws IOException {
    assertTrue(bench.run(KEEPS).isMissingNode());
    change(bench, "none");
    JsonNode result =
        bench.run(
            ASKS
                + """
                [ -e told ] || { touch told; echo "Error: No deferred tool marker found in it." >&2; exit 1; }
                reply hi
                """);
    assertEquals("hi", result.path("reply").asText(), result::toString);
    JsonNode later = bench.run(MAKES_IT_FIRST + "reply \"$(cat settled)\"");
    assertTrue(later.path("reply").asText().startsWith("2 The turn"), later::toString);
    JsonNode last = bench.run(ASKS + "echo once >>runs; reply \"$(cat runs)\"");
    assertEquals("once", last.path("reply").asText(), last::toString);
  }

  @Test
  void anAgentThatFailsBeforeItIsToldIsToldInTheNextTurn() throws IOException {
    assertTrue(bench.run(KEEPS).isMissingNode());
    change(bench, "none");
    JsonNode failed = bench.run("exit 1");
    assertEquals("AGENT_FAILED", failed.at("/error/code").asText(), failed::toString);
    JsonNode result = bench.run(MAKES_IT_FIRST + "reply \"$(cat settled)\"");
    assertTrue(result.path("reply").asText().startsWith("2 The turn"), result::toString);
  }

  @Test
  void whatWasDecidedIsNotKeptAlsoWhereItsTurnFails() throws IOException {
    assertTrue(bench.run(KEEPS).isMissingNode());
    JsonNode failed = bench.goOn(KEEPS + "exit 1", Map.of("decision", "allow"));
    assertEquals("AGENT_FAILED", failed.at("/error/code").asText(), failed::toString);
    JsonNode result = bench.run(ASKS + "echo once >>runs; reply \"$(cat runs)\"");
    assertEquals("once", result.path("reply").asText(), result::toString);
  }

  /// Its model is down, for example.
  @Test
  void anAgentThatFailsAfterItWasToldTakesItsMessage() throws IOException {
    assertTrue(bench.run(KEEPS).isMissingNode());
    change(bench, "none");
    String fails = MAKES_IT_FIRST.replace("reply settled; exit;", "exit 1;");
    JsonNode result = bench.run(fails + "reply \"$(cat settled)\"");
    assertTrue(result.path("reply").asText().startsWith("2 The turn"), result::toString);
  }

  private static void change(Bench bench, String permissions) {
    if (permissions.equals("none")) {
      bench.work.remove("permissions");
    } else {
      ((ObjectNode) bench.work.at("/permissions/rules/0")).put("policy", permissions);
    }
  }

  /// Its hook waits for a person, and it ends as if it had done its work.
  @ParameterizedTest
  @ValueSource(strings = {"exact", "reissued"})
  void anAgentThatDoesNotWaitForAPersonHasNotCompleted(String parks) throws IOException {
    bench.entry.withObject("/gate").put("parks", parks).remove("deferral");
    ((ObjectNode) bench.work.get("permissions")).put("hold_seconds", 900);
    CompletableFuture<Void> turn =
        bench.start(
            ASKS + "ask 1 Ask '{\"a\":1}' & until [ -e go ]; do sleep 0.05; done; reply done");
    Bench.await("a second look for its decision", () -> bench.service.calls("requests") > 1);
    write("go", "");
    turn.join();
    assertEquals(parks.equals("exact") ? 0 : 1, bench.service.calls("parking"));
    JsonNode result = bench.service.result();
    assertEquals(
        parks.equals("exact") ? "UNAPPROVED_CALL" : "",
        result.at("/error/code").asText(),
        result::toString);
  }

  /// An agent that keeps nothing hears a denial, is stopped, and is told later to call again.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          allow | A person has allowed the call that waited: Ask {"a":1}. Make this call again now, with exactly the same input, and go on. | 0 ran
          deny  | The call that waited, Ask {"a":1}: A person has denied this call. Go on without it.                                        | 2
          """)
  void anAgentIsToldToCallAgain(String decision, String told, String reply) throws IOException {
    bench.entry.withObject("/gate").put("parks", "reissued").remove("deferral");
    bench.entry.put("stdin", "message");
    bench.entry.putArray("command").add("bash").add("-c").add("cat >told; . ./script.sh");
    String script =
        ASKS
            + """
            [ -e why ] && again=yes
            ask 1 Ask '{"a":1}'; status=$?
            [ $again ] || sleep 60
            [ $status = 0 ] && echo ran >>ran
            reply "$(echo $status $(cat ran))"
            """;
    write("script.sh", script);
    assertTrue(bench.run("Do it.").isMissingNode());
    assertEquals("Do it.", Files.readString(bench.work("told")));
    assertFalse(Files.exists(bench.work("ran")));
    JsonNode result = bench.goOn("Do it.", Map.of("decision", decision));
    assertEquals(told, Files.readString(bench.work("told")));
    assertEquals(reply, result.get("reply").textValue(), result::toString);
    assertEquals(1, bench.service.decider().asked().size());
  }

  @Test
  void anAgentIsToldWhatAPersonHasAnswered() throws IOException {
    bench.entry.withObject("/gate").put("parks", "reissued").remove("deferral");
    bench.entry.put("stdin", "message");
    bench.entry.putArray("command").add("bash").add("-c").add("cat >told; . ./script.sh");
    ((ObjectNode) bench.work.get("permissions")).put("questions", true);
    write(
        "script.sh",
        ASKS
            + """
            [ -e why ] && again=yes
            ask 1 AskUserQuestion '{"questions":[{"question":"Which colour?","options":[{"label":"Blue"}]}]}'
            [ $again ] || sleep 60
            reply done
            """);
    assertTrue(bench.run("Ask.").isMissingNode());
    Map<String, Object> decision =
        Map.of("decision", "allow", "answers", Map.of("1", List.of("Blue")));
    assertEquals("done", bench.goOn("Ask.", decision).get("reply").textValue());
    assertEquals(
        "A person has answered what you asked (\"Which colour?\"): 1: \"Blue\". Go on with that.",
        Files.readString(bench.work("told")));
  }

  /// A script that waits has not begun; one that asks a question would begin again.
  @Test
  void aScriptIsParkedBeforeItBegins() throws IOException {
    try (Bench shell = Bench.sandboxed(folder.resolve("other"))) {
      shell.work = Bench.nothing();
      ObjectNode permissions = shell.work.putObject("permissions").put("default", "ask");
      permissions.put("hold_seconds", 0).put("questions", true).putArray("rules");
      String script =
          """
          echo ran >>ran
          echo '{"tool_use_id":"1","tool_name":"ask_user","tool_input":{"questions":[{"question":"Which?","options":[]}]}}' | $AGENT_GATE
          sleep 60
          """;
      assertTrue(shell.run(script).isMissingNode());
      assertFalse(Files.exists(shell.work("ran")));
      JsonNode result = shell.goOn(script, Map.of("decision", "allow"));
      assertEquals("REQUEST_EXPIRED", result.at("/error/code").textValue(), result::toString);
      assertEquals("ran\n", Files.readString(shell.work("ran")));
      assertFalse(shell.service.decider().asked().getLast().has("parkable"));
    }
  }

  /// What was used before is reported with what is used now, and the files of the message are those
  /// that the agent has left.
  @Test
  void aRunnerGoesOnWithWhatTheOneBeforeHasLeft() throws IOException {
    ObjectNode file = bench.work.withArray("files").addObject().put("path", "input");
    file.put("content_base64", "b25l").put("size", 3).putNull("url").putNull("sha256");
    String script = "[ -e kept ] || printf two >input\n" + KEEPS + "reply \"$(cat input)\"";
    assertTrue(bench.run(script).isMissingNode());
    ObjectNode used = bench.work.putObject("used").put("requests", 3).put("complete", true);
    used.put("guessed_tokens", 1).put("guessed_micro_dollars", 2);
    ObjectNode model = used.putArray("models").addObject().put("model", "m").put("requests", 3);
    for (String kind :
        new String[] {"input", "output", "cache_read", "cache_write", "cache_write_hour"}) {
      model.put(kind, 5);
    }
    JsonNode result = bench.goOn(script, Map.of("decision", "allow"));
    assertEquals("two", result.get("reply").textValue(), result::toString);
    assertEquals(used, result.get("usage"));
  }

  private JsonNode asked(int number) {
    return bench.service.decider().asked().get(number);
  }

  private String text(int event) {
    Supplier<String> all = () -> bench.service.events().toString();
    assertTrue(bench.service.events().size() > event, all);
    return bench.service.events().get(event).get("text").textValue();
  }

  private void write(String file, String content) throws IOException {
    Files.createDirectories(bench.work("").getParent());
    Files.createDirectories(bench.work(""));
    Files.writeString(bench.work(file), content);
  }
}
