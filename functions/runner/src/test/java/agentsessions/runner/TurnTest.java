package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Json;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A turn from claim to release, with the shell agent in a real sandbox.
class TurnTest {
  @TempDir Path folder;
  private final ProcessMark mark = ProcessMark.fresh();
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.sandboxed(folder);
  }

  @Test
  void replyIsWhatTheScriptPrints() throws IOException {
    JsonNode result = bench.run("echo hello; echo world");
    assertEquals("completed", result.get("outcome").textValue());
    assertEquals("hello\nworld", result.get("reply").textValue());
  }

  @Test
  void folderSaysWhoseItIs() throws IOException {
    bench.run("true");
    Path key = bench.sandboxes.resolve(bench.sessionId).resolve("session");
    assertEquals("w/" + bench.sessionId, Files.readString(key));
  }

  @Test
  void exitStatusOtherThanZeroIsAFailedTurnThatSaysWhy() throws IOException {
    JsonNode result = bench.run("echo some; echo 'no such thing' >&2; exit 3");
    assertEquals("failed", result.get("outcome").textValue());
    assertTrue(result.get("reply").isNull());
    assertEquals("AGENT_FAILED", result.at("/error/code").textValue());
    assertEquals(
        "The agent ended with status 3: no such thing\nIt had printed: some",
        result.at("/error/message").textValue());
    assertEquals("some\n", bench.service.events().getLast().get("text").textValue());
  }

  @Test
  void silenceIsAReplyOfTheShellAndAFailureOfOthers() throws IOException {
    assertEquals("(no output)", bench.run("true").get("reply").textValue());
    bench.entry.putObject("reply").put("from", "stdout");
    assertEquals("EMPTY_REPLY", bench.run("true").at("/error/code").textValue());
  }

  @Test
  void outputIsInTheTranscriptWhileTheScriptRuns() throws IOException {
    CompletableFuture<Void> turn =
        bench.start("echo one; echo; echo two; until [ -e go ]; do sleep 0.05; done; echo three");
    Bench.await("the first lines", () -> shown().equals("one\n\n"));
    Files.createFile(bench.work("go"));
    turn.join();
    assertEquals("one\n\ntwo\nthree", bench.service.result().get("reply").textValue());
    assertFalse(bench.said().contains("three"), bench.said());
  }

  /// The output so far, in however many pieces it came.
  private String shown() {
    return bench.service.events().stream()
        .map(event -> event.get("text").textValue())
        .collect(Collectors.joining());
  }

  @Test
  void replyThatCannotBeReadSaysSo() throws IOException {
    bench.entry.putObject("reply").put("from", "json").put("pointer", "/text");
    JsonNode none = bench.run("echo 'no JSON at all'");
    assertEquals("EMPTY_REPLY", none.at("/error/code").textValue());
    String why = none.at("/error/message").textValue();
    assertTrue(why.contains("it is no JSON. What it printed ended with: no JSON at all"), why);
    String other = bench.run("echo '{\"a\":1}'").at("/error/message").textValue();
    assertTrue(other.contains("its JSON has nothing at /text"), other);
    assertEquals("x", bench.run("echo '{\"text\":\"x\"}'").get("reply").textValue());
  }

  @Test
  void replyOfControlCharactersFitsOneRequestToTheService() throws IOException {
    JsonNode result = bench.run("head -c 1048576 /dev/zero | tr '\\0' '\\1'");
    String body = Json.MAPPER.writeValueAsString(result);
    String event = Json.MAPPER.writeValueAsString(Map.of("body", body));
    assertTrue(event.length() < 6_291_556 - 60_000, () -> "is " + event.length());
    assertTrue(event.length() > 6_200_000, () -> "is " + event.length());
    assertTrue(bench.said().contains("reply was longer"), bench.said());
  }

  /// The agent prints no more at once than the queue holds, so that nothing is left out for lack of
  /// time; the last message is held back until another comes, since it may be the reply.
  @Test
  void transcriptEndsWithASentenceWhenAnAgentNeverStopsTalking() throws IOException {
    bench
        .entry
        .putArray("events")
        .addObject()
        .put("type", "message")
        .put("text", "/m")
        .putObject("where")
        .put("/t", 1);
    CompletableFuture<Void> turn =
        bench.start(
            """
            for heard in 1500 3000 4500 6000; do
              yes '{"t":1,"m":"x"}' | head -n 1500
              until [ $heard = 6000 ] || [ -e $heard ]; do sleep 0.05; done
            done
            """);
    for (int said = 1500; said < 5000; said += 1500) {
      int heard = said;
      Bench.await("all but the last", () -> bench.service.events().size() >= heard - 1);
      Files.createFile(bench.work(String.valueOf(heard)));
    }
    turn.join();
    List<JsonNode> events = bench.service.events();
    assertEquals(5001, events.size());
    assertTrue(events.getLast().toString().contains("no more than 5,000"), "the last one says so");
  }

  @Test
  void messageMayBeLongAndItsScriptMayReadStandardInput() throws IOException {
    String script = "cat; read x; echo done #" + "ü".repeat(128 * 1024 - 20);
    assertEquals("done", bench.run(script).get("reply").textValue());
  }

  @Test
  void messageOnStandardInputNeverLooksLikeACommand() throws IOException {
    bench
        .entry
        .put("stdin", "message")
        .withArray("command")
        .removeAll()
        .add("cat")
        .add("-")
        .add("${AGENT_MESSAGE_FILE}");
    assertEquals("/clear/clear", bench.run("/clear").get("reply").textValue());
  }

  @Test
  void agentSeesItsOwnVariablesOnly() throws IOException {
    bench
        .entry
        .putObject("environment")
        .put("FROM_ENTRY", "${SECRET}")
        .put("EMPTY", "${MISSING:-}");
    String seen =
        bench.run("env; tr '\\0' '\\n' < /proc/1/environ || true").get("reply").textValue();
    assertTrue(seen.contains("FROM_ENTRY=s3cret"), seen);
    assertTrue(seen.contains("AGENT_WORKSPACE=/workspace\n"), seen);
    assertFalse(seen.contains("EMPTY"), seen);
    assertFalse(seen.contains("JAVA_HOME") || seen.contains("MAVEN"), seen);
  }

  @Test
  void agentWhoseSecretIsNotSetIsNotAvailable() throws IOException {
    bench.entry.putObject("environment").put("KEY", "${MISSING}");
    assertEquals("AGENT_NOT_AVAILABLE", bench.run("true").at("/error/code").textValue());
  }

  @Test
  void agentWhoseCommandIsNotInstalledIsNotAvailable() throws IOException {
    bench.entry.withArray("command").removeAll().add("no-such-command");
    assertEquals("AGENT_NOT_AVAILABLE", bench.run("true").at("/error/code").textValue());
  }

  @Test
  void agentIsNobodyHereAndHasNoNetwork() throws IOException {
    String script =
        "id -u; grep -E '^(CapEff|NoNewPrivs)' /proc/self/status; ls /sys/class/net /proc | head -3; ls -A /root /work 2>&1 | wc -l; cat < /dev/tcp/127.0.0.1/80";
    JsonNode result =
        bench.run(
            script + " 2>/dev/null; ls /proc | grep -c '^[0-9]'; cat /proc/net/dev | grep -c :");
    String seen = result.get("reply").textValue();
    assertFalse(seen.startsWith("0\n"), seen);
    assertTrue(seen.contains("CapEff:\t0000000000000000\nNoNewPrivs:\t1"), seen);
    assertTrue(seen.endsWith("\n1"), seen);
  }

  @Test
  void turnThatTakesTooLongTimesOut() throws IOException {
    bench.interrupt(
        "echo x > ready; " + mark.sleep()); // or a second could be too little to make it
    bench.entry.put("time_limit_seconds", 1);
    JsonNode result = bench.run(mark.sleep());
    assertEquals("timed_out", result.get("outcome").textValue());
    assertEquals("TIME_LIMIT", result.at("/error/code").textValue());
    assertEquals("/workspace/ready", result.at("/artifacts/0/path").textValue());
    assertFalse(mark.isRunning());
  }

  @Test
  void interruptedTurnDoesNotUseUpItsGraceAndLeavesItsFilesToTheNext() throws IOException {
    bench.entry.withObject("/interrupt").put("grace_seconds", 3600);
    // Bash would drop an interrupt that comes while it waits for a program which ends well.
    bench.interrupt("echo kept > file; : >ready; " + mark.sleep());
    assertTrue(bench.service.result().isMissingNode());
    assertTrue(bench.service.isReleased());
    assertFalse(mark.isRunning());
    JsonNode next = bench.run("cat file");
    assertEquals("kept", next.get("reply").textValue());
    assertEquals(2, next.get("artifacts").size());
  }

  /// It is given up in time for another one.
  @Test
  void aRenewalWithoutAnAnswerLosesNoTurn() throws IOException {
    bench.renewSeconds = 3;
    bench.service.fault("lease", StandIn.Fault.NEVER);
    JsonNode result = bench.run("sleep 8; echo done");
    assertEquals("done", result.path("reply").asText(), result::toString);
  }

  @Test
  void interruptedAgentMayFinishWithinItsGrace() throws IOException {
    bench.entry.withObject("/interrupt").put("grace_seconds", 20);
    bench.interrupt(
        "trap 'echo tidied > end; exit 0' INT; touch ready; while :; do sleep 0.05; done");
    assertEquals("tidied", bench.run("cat end").get("reply").textValue());
  }

  @Test
  void interruptIsHeardAtOnceWhereTheServiceWaitsWithItsAnswer() {
    bench.checkMillis = 3_600_000;
    bench.waitSeconds = 20;
    bench.interrupt("touch ready; " + mark.sleep());
    assertFalse(mark.isRunning());
  }

  @Test
  void anAnswerThatComesEarlyBringsTheNextQuestionNoSooner() throws IOException {
    bench.checkMillis = 60_000;
    bench.waitSeconds = 20;
    bench.service.neverWaits();
    CompletableFuture<Void> turn =
        bench.start("touch ready; until [ -e asked ]; do sleep 0.05; done; sleep 1");
    Bench.await("the agent", () -> Files.exists(bench.work("ready")));
    Bench.await("the question", () -> bench.service.calls("turn") > 0);
    Files.createFile(bench.work("asked"));
    turn.join();
    assertEquals(1, bench.service.calls("turn"));
  }

  @Test
  void whatTheAgentHasStartedHearsTheInterruptToo() throws IOException {
    bench.entry.withObject("/interrupt").put("grace_seconds", 20);
    bench.interrupt(
        "(trap 'echo tidied > end; exit' INT; touch ready; while :; do sleep 0.05; done)");
    assertEquals("tidied", bench.run("cat end").get("reply").textValue());
  }

  /// The upload of such a large file is retried for longer than this test waits for its end.
  @Test
  void interruptDoesNotWaitForUploads() throws IOException {
    bench.service.objectsAnswer(503);
    CompletableFuture<Void> turn = bench.start("head -c 64M /dev/zero > file; echo done");
    Bench.await("the upload", () -> bench.service.calls("uploads") > 0);
    bench.service.interrupt();
    Bench.await("the turn's end", turn::isDone);
    turn.join();
    bench.service.objectsAnswer(200);
    assertEquals(1, bench.run("echo next").get("artifacts").size());
  }

  @Test
  void closedFoldersAreOpenedForTheNextTurn() throws IOException {
    bench.run("chmod 0 ~ /workspace; echo ok");
    assertEquals("ok", bench.run("touch ~/x y; echo ok").get("reply").textValue());
  }

  @Test
  void agentThatIgnoresTheSignalIsKilled() {
    bench.interrupt("trap '' INT TERM; touch ready; while :; do %s; done".formatted(mark.sleep()));
    assertFalse(mark.isRunning());
  }

  @Test
  void nothingOutlivesAGoodTurn() throws IOException {
    bench.run(
        "(setsid bash -c 'exec -a x%1$s sleep %1$s' >/dev/null 2>&1 &) ; sleep 0.2; echo done"
            .formatted(mark));
    assertFalse(mark.isRunning());
  }

  /// A build may leave so many temporary files that their removal takes seconds.
  @Test
  void resultDoesNotWaitForTheRemovalOfTemporaryFiles() throws IOException {
    Path io = bench.work("..").normalize().resolve("io");
    AtomicBoolean isThere = new AtomicBoolean();
    bench.service.atResult(() -> isThere.set(Files.exists(io)));
    bench.run("touch /tmp/left; echo ok");
    assertTrue(isThere.get());
    assertTrue(Files.notExists(io));
  }

  @Test
  void heldOutputDoesNotHoldTheTurn() throws IOException {
    assertEquals(
        "done",
        bench.run("setsid %s & echo done".formatted(mark.sleep())).get("reply").textValue());
    assertFalse(mark.isRunning());
  }

  @Test
  void secondRunOfASessionWaitsUntilTheFirstIsGone() throws IOException {
    CompletableFuture<Void> first =
        bench.start("trap '' INT; touch ready; while :; do date +%N > beat; done");
    Bench.await("the first", () -> Files.exists(bench.work("ready")));
    JsonNode second =
        bench.run("a=$(cat beat); sleep 0.3; test \"$a\" = \"$(cat beat)\" && echo quiet");
    first.join();
    assertEquals("quiet", second.get("reply").textValue());
  }

  @Test
  void lostAnswersAreAskedForAgain() throws IOException {
    bench.service.fault("claim", StandIn.Fault.UNAVAILABLE, StandIn.Fault.DROPPED);
    bench.service.fault("uploads", StandIn.Fault.DROPPED);
    bench.service.fault("result", StandIn.Fault.DROPPED, StandIn.Fault.UNAVAILABLE);
    bench.service.fault("release", StandIn.Fault.UNAVAILABLE);
    JsonNode result = bench.run("echo text > file; echo done");
    assertEquals("done", result.get("reply").textValue());
    assertEquals(3, bench.service.calls("result"));
    assertEquals("text\n", bench.captured(result.at("/artifacts/0")));
    assertEquals(0, bench.run("echo again").get("artifacts").size());
  }

  @Test
  void anUploadWhoseAnswerIsLostIsThereOnce() throws IOException {
    bench.service.fault("put", StandIn.Fault.DROPPED, StandIn.Fault.UNAVAILABLE);
    JsonNode result = bench.run("echo text > file; echo done");
    assertEquals("text\n", bench.captured(result.at("/artifacts/0")));
    assertEquals(
        "b9e68e1bea3e5b19ca6b2f98b73a54b73daafaa250484902e09982e07a12e733",
        result.at("/artifacts/0/sha256").textValue());
    bench.service.fault("put", StandIn.Fault.DROPPED);
    assertEquals("", bench.captured(bench.run(": > empty; echo done").at("/artifacts/0")));
  }

  @Test
  void whatLiesInAPlaceAlreadyIsNeitherOverwrittenNorRecorded() throws IOException {
    bench.service.occupy();
    JsonNode result = bench.run("echo text > file; : > empty; echo done");
    assertEquals("done", result.get("reply").textValue());
    assertEquals(0, result.get("artifacts").size());
  }
}
