package agentsessions.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.testing.SettableClock;
import agentsessions.wire.TurnResult;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A runner stands on the untrusted side: of what it reports, only what can be true is taken.
class TurnReportsTest {
  private static final int MEBIBYTE = 1024 * 1024;
  private static final String NOTE =
      "\n[The reply was longer than 1 MiB, or than what can be sent, and is cut here.]";
  private static final int MOST_ON_ITS_WAY = 5 * MEBIBYTE;
  private static final String HASH = "a".repeat(64);
  private static final Turn TURN = InMemoryAws.of(new SettableClock()).claimed();

  private final InMemoryBucket bucket = new InMemoryBucket();
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(new InMemoryTable(InMemoryAws.TABLE), bucket, new NoMachine(), clock);
  private final TurnReports reports = new TurnReports(aws.bucket(), clock);

  @Test
  void aReplyOfAMebibyteIsWhole() {
    String reply = "x".repeat(MEBIBYTE);
    assertEquals(reply, completed(reply).text());
  }

  @Test
  void aLongerReplyIsCutWithANoteAndThenFits() {
    String cut = completed("x".repeat(MEBIBYTE + 1)).text();
    assertEquals(MEBIBYTE, bytes(cut));
    assertTrue(cut.endsWith("x" + NOTE));
  }

  @Test
  void aCutNeverPartsACharacter() {
    for (String prefix : List.of("", "a", "ab", "abc")) {
      String cut = completed(prefix + "\uD83D\uDE80".repeat(MEBIBYTE / 4 + 1)).text();
      String kept = cut.substring(0, cut.length() - NOTE.length());
      assertTrue(cut.endsWith(NOTE));
      assertTrue(bytes(cut) <= MEBIBYTE && bytes(cut) > MEBIBYTE - 4);
      assertEquals(kept, new String(kept.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aReplyThatGrowsOnItsWayIsCutSoThatItFitsAnAnswer() {
    for (String character : List.of("\u0001", "\u001f", "\"", "\\", "\n", "\u0001\uD83D\uDE80")) {
      String reply = character.repeat(MEBIBYTE / bytes(character));
      String cut = completed(reply).text();
      assertTrue(onItsWay(cut) <= MOST_ON_ITS_WAY, () -> character + " takes " + onItsWay(cut));
      assertTrue(cut.equals(reply) || cut.endsWith(NOTE));
    }
    String cut = completed("\u0001".repeat(MEBIBYTE)).text();
    assertTrue(onItsWay(cut) > MOST_ON_ITS_WAY - 8);
  }

  @Test
  void anErrorSaysWhyAndItsWordsAreCutToo() {
    Ending ending =
        reports.ending(
            TURN,
            new TurnResult(
                "failed",
                null,
                new TurnResult.Fault("AGENT_FAILED", "y".repeat(9000), null),
                null,
                null,
                null,
                null));
    assertEquals(TurnStatus.FAILED, ending.status());
    assertEquals(8192, bytes(java.util.Objects.requireNonNull(ending.error()).message()));
    assertTrue(ending.text().endsWith("Sending the same message again will not help."));
  }

  @Test
  void aFailureWithoutAReasonIsRefused() {
    refused("error", new TurnResult("failed", null, null, null, null, null, null));
  }

  @Test
  void anUnknownOutcomeIsRefused() {
    refused("outcome", new TurnResult(null, "hi", null, null, null, null, null));
    refused("outcome", new TurnResult("interrupted", "hi", null, null, null, null, null));
  }

  @Test
  void onlyWhatWasUploadedToAPlaceOfThisTurnAndFenceIsAnArtifact() {
    String key = uploaded("artifacts/%s/%s/1000-x".formatted(TURN.sessionId(), TURN.id()));
    assertEquals(key, artifact(reported(key, "/workspace/a.txt")).objectKey());
    refused("key", report(reported(key + "y", "/workspace/a.txt")));
    refused("key", report(reported(uploaded("texts/other"), "/workspace/a.txt")));
    refused(
        "key",
        report(
            reported(
                uploaded("artifacts/%s/%s/1001-x".formatted(TURN.sessionId(), TURN.id())),
                "/workspace/a.txt")));
  }

  @Test
  void aPathIsAbsoluteAndOfAFile() {
    String key = uploaded(TurnReports.newKey(TURN));
    for (String path :
        List.of("", "a.txt", "/workspace/", "/x".repeat(2049), "/" + "x".repeat(256))) {
      refused("path", report(reported(key, path)));
    }
  }

  @Test
  void theSizeIsThatOfTheObjectAndAnOddTypeIsNotPassedOn() {
    String key = uploaded(TurnReports.newKey(TURN));
    Artifact artifact =
        artifact(
            new TurnResult.Artifact(
                key, "/workspace/a", "plan", HASH, "text/html\r\nX: y", new BigDecimal("1.5")));
    assertEquals(4, artifact.bytes());
    assertEquals("application/octet-stream", artifact.mimeType());
    assertEquals(1500, artifact.createdAt().toEpochMilli());
    assertEquals("plan", artifact.kind());
  }

  @Test
  void fortyArtifactsAreTheMost() {
    TurnResult.Artifact one = reported(uploaded(TurnReports.newKey(TURN)), "/workspace/a");
    assertEquals(
        40,
        reports
            .ending(
                TURN,
                new TurnResult(
                    "completed", "", null, Collections.nCopies(40, one), null, null, null))
            .artifacts()
            .size());
    refused(
        "artifacts",
        new TurnResult("completed", "", null, Collections.nCopies(41, one), null, null, null));
  }

  private Ending completed(String reply) {
    return reports.ending(TURN, new TurnResult("completed", reply, null, null, null, null, null));
  }

  private Artifact artifact(TurnResult.Artifact reported) {
    return reports.ending(TURN, report(reported)).artifacts().getFirst();
  }

  private String uploaded(String key) {
    bucket.contents().put(key, "text");
    return key;
  }

  private void refused(String field, TurnResult report) {
    Refusal refusal = assertThrows(Refusal.class, () -> reports.ending(TURN, report));
    assertEquals(List.of(field), refusal.details().stream().map(Refusal.Detail::field).toList());
  }

  private static TurnResult report(TurnResult.Artifact reported) {
    return new TurnResult("completed", "", null, List.of(reported), null, null, null);
  }

  private static TurnResult.Artifact reported(String key, @Nullable String path) {
    return new TurnResult.Artifact(key, path, "file", HASH, "text/plain", null);
  }

  /// As a string in an answer's JSON, which is a string in the JSON of an event.
  private static int onItsWay(String text) {
    return bytes(quoted(quoted(text))) - bytes(quoted(quoted("")));
  }

  private static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
