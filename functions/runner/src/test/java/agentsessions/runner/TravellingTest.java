package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.turn.Invocation;
import agentsessions.runner.turn.OtherSession;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runner on Lambda: sessions are stored as objects, and an environment serves one session only.
class TravellingTest {
  @TempDir Path folder;
  private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.travelling(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void nothingOfATurnStays() throws IOException {
    assertEquals("kept", bench.run("echo kept | tee file").get("reply").textValue());
    assertEquals(1, bench.service.calls("snapshot"));
    assertFalse(Files.exists(bench.work("file")));
  }

  @Test
  void whatATurnLeavesIsThereInTheNext() throws IOException {
    bench.run("head -c 1000000 /dev/urandom > file; sha256sum file > sum; echo first");
    assertEquals(4, bench.service.parts());
    assertEquals("file: OK", bench.run("sha256sum -c sum").get("reply").textValue());
    assertEquals(List.of(), bench.service.events());
  }

  @Test
  void whatMadeASandboxReadyIsNoArtifactAfterItsTravels() throws IOException {
    bench.work = Bench.nothing();
    bench.work.put("setup", "echo made > made; echo another > another");
    bench.run("echo mine > mine");
    JsonNode second = bench.run("cat made");
    assertEquals("made", second.get("reply").textValue());
    assertEquals(0, second.get("artifacts").size(), second.toString());
    JsonNode third = bench.run("echo more >> made; mv another mine; echo moved");
    assertEquals(
        List.of("/workspace/made", "/workspace/mine"),
        third.get("artifacts").findValuesAsText("path").stream().sorted().toList());
  }

  @Test
  void lostAnswersLoseNothing() throws IOException {
    bench.service.fault("snapshot", StandIn.Fault.DROPPED);
    bench.service.fault("parts", StandIn.Fault.UNAVAILABLE, StandIn.Fault.DROPPED);
    bench.service.fault("complete", StandIn.Fault.DROPPED, StandIn.Fault.UNAVAILABLE);
    bench.service.fault("release", StandIn.Fault.DROPPED);
    bench.run("echo kept > file; echo first");
    assertFalse(bench.service.isSandboxLost());
    assertEquals("kept", bench.run("cat file").get("reply").textValue());
  }

  @Test
  void anInterruptedTurnIsSavedToo() throws IOException {
    bench.interrupt("echo kept > file; touch ready; " + ProcessMark.fresh().sleep());
    assertEquals("kept", bench.run("cat file").get("reply").textValue());
  }

  @Test
  void aTurnWhoseSandboxIsLostIsReportedAndTheNextOneSaysSo() throws IOException {
    bench.run("echo one > file; echo first");
    bench.time = Duration.ofSeconds(24); // of which the agent has a third
    bench.service.objectsAnswer(503, "snapshot");
    JsonNode second = bench.run("echo two > file; echo second");
    assertEquals("completed", second.get("outcome").textValue());
    assertTrue(bench.service.isSandboxLost());
    bench.service.objectsAnswer(200);
    bench.time = Duration.ofMinutes(10);
    assertEquals("one", bench.run("cat file").get("reply").textValue());
    assertTrue(
        bench.service.events().getFirst().get("text").textValue().contains("could not be saved"));
  }

  @Test
  void aTurnEndsWhileThereIsTimeToSaveIt() throws IOException {
    bench.time = Duration.ofSeconds(24); // of which the agent has a third
    JsonNode result = bench.run("echo kept > file; " + ProcessMark.fresh().sleep());
    assertEquals("timed_out", result.get("outcome").textValue());
    assertFalse(bench.service.isSandboxLost());
    bench.time = Duration.ofMinutes(10);
    assertEquals("kept", bench.run("cat file").get("reply").textValue());
  }

  @Test
  void aFolderThatNeverCameReplacesNothing() throws IOException {
    bench.run("echo kept > file; echo first");
    bench.service.objectsAnswer(404);
    assertEquals("SANDBOX_FAILED", bench.run("true").at("/error/code").textValue());
    assertEquals(0, bench.service.calls("snapshot"));
    bench.service.objectsAnswer(200);
    assertEquals("kept", bench.run("cat file").get("reply").textValue());
    assertFalse(bench.service.isSandboxLost());
  }

  @Test
  void anEnvironmentLeavesOtherSessionsUnclaimed() throws IOException {
    bench.run("echo one");
    Invocation next = bench.offer("echo two");
    String another = UUID.randomUUID().toString();
    Invocation others = new Invocation(next.ticket(), next.url(), next.attempt(), another);
    assertThrows(OtherSession.class, () -> bench.run(others));
    assertEquals(1, bench.service.calls("refusal"));
    assertEquals(0, bench.service.calls("claim"));
    assertEquals("two", bench.run(next).get("reply").textValue());
  }
}
