package agentsessions.turn.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.OnRunning;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.Upload;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import agentsessions.turn.TurnInputs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The files of a message that waits are there for as long as it waits.
class KeptUploadsTest {
  private static final String TEXT = "what was uploaded";
  private static final InputFile INLINE =
      new InputFile.Inline("in.txt", ByteBuffer.wrap(new byte[] {1}));
  private static final InputFile ARTIFACT =
      new InputFile.Stored("plan", "artifacts/s/plan", 3, null);

  private final SettableClock clock = new SettableClock();
  private final InMemoryBucket bucket = new InMemoryBucket();
  private final InMemoryAws aws =
      InMemoryAws.of(new InMemoryTable(InMemoryAws.TABLE), bucket, new RecordedTaskCalls(), clock);
  private final SessionKey session = aws.accepted().key().sessionKey();
  private final String upload = uploaded();

  @Test
  void aWaitingMessagesFileSurvivesTheExpiryOfItsUpload() {
    Turn waiting = send(OnRunning.QUEUE, INLINE, ARTIFACT, stored("a"), stored("b"));
    expire();
    begin();
    List<InputFile> files = files(waiting);
    assertEquals(List.of(INLINE, ARTIFACT), files.subList(0, 2));
    assertEquals(List.of("a", "b"), files.stream().skip(2).map(InputFile::path).toList());
    assertEquals(
        List.of(TEXT, TEXT),
        files.stream().skip(2).map(file -> bucket.contents().get(key(file))).toList());
  }

  /// It is claimed long before its upload is deleted.
  @Test
  void ofAMessageThatBeginsNothingIsCopied() {
    Turn next = send(OnRunning.INTERRUPT, stored("a"));
    assertEquals(List.of(stored("a")), files(next));
    assertEquals(1, bucket.contents().size());
  }

  @Test
  void aSessionHasOneCopyOfAnUpload() {
    Idempotency once = new Idempotency("key", "body");
    InputFile first = begun(send(OnRunning.QUEUE, once, stored("a")).orElseThrow());
    assertEquals(Optional.empty(), send(OnRunning.QUEUE, once, stored("a")));
    InputFile second = begun(send(OnRunning.QUEUE, stored("b")));
    assertEquals(key(first), key(second));
    assertEquals(2, bucket.contents().size());
  }

  @Test
  void aRepeatIsAnsweredThoughTheUploadIsGone() {
    Idempotency once = new Idempotency("key", "body");
    Optional<Turn> _ = send(OnRunning.QUEUE, once, stored("a"));
    expire();
    assertEquals(Optional.empty(), send(OnRunning.QUEUE, once, stored("a")));
  }

  @Test
  void anUploadThatIsGoneIsRefusedAsOneThatIsUnknown() {
    expire();
    Refusal refusal = assertThrows(Refusal.class, () -> send(OnRunning.QUEUE, INLINE, stored("a")));
    assertEquals(Refusal.invalid("files[1].upload_id", Upload.WANTED).details(), refusal.details());
    assertEquals(List.of(), aws.sessions().load(session).orElseThrow().waiting());
  }

  @Test
  void aPurgeLeavesNoCopy() {
    Turn _ = send(OnRunning.QUEUE, stored("a"));
    expire();
    assertEquals(1, bucket.contents().size());
    assertTrue(aws.endings().delete(session));
    aws.purge().step(session);
    assertEquals(0, bucket.contents().size());
  }

  private String uploaded() {
    UploadId id = new UploadId(UUID.randomUUID());
    Workspace workspace = session.workspace();
    String key =
        new Upload(workspace, id, "a", TEXT.length(), null, null, clock.instant(), true)
            .objectKey();
    bucket.contents().put(key, TEXT);
    return key;
  }

  /// As the bucket's rule does, after two days.
  private void expire() {
    assertTrue(bucket.contents().keySet().removeIf(key -> key.startsWith("uploads/")));
  }

  private InputFile stored(String path) {
    return new InputFile.Stored(path, upload, TEXT.length(), null);
  }

  private Turn send(OnRunning onRunning, InputFile... files) {
    return send(onRunning, null, files).orElseThrow();
  }

  /// Empty where it is a repeat.
  private Optional<Turn> send(
      OnRunning onRunning, @Nullable Idempotency idempotency, InputFile... files) {
    FollowUp followUp = FollowUp.of("more", onRunning).with(List.of(files));
    Acceptance acceptance = aws.intake().followUp(session, followUp, "http://service", idempotency);
    return acceptance instanceof Acceptance.Accepted accepted
        ? Optional.of(accepted.turn())
        : Optional.empty();
  }

  /// Ends the turn that is live, so that the first one that waits begins.
  private void begin() {
    assertTrue(aws.endings().cancel(session, new Endings.Cancellation(true, null)).isPresent());
  }

  private InputFile begun(Turn waiting) {
    begin();
    return files(waiting).getFirst();
  }

  private List<InputFile> files(Turn turn) {
    Turn loaded = aws.turns().load(turn.key()).orElseThrow();
    return assertInstanceOf(TurnInputs.Loaded.Ready.class, aws.inputs().of(loaded)).files();
  }

  private static String key(InputFile file) {
    return assertInstanceOf(InputFile.Stored.class, file).objectKey();
  }
}
