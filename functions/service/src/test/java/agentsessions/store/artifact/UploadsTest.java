package agentsessions.store.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.UploadLinks;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Upload;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Table;
import agentsessions.table.item.UploadItem;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The uploads that a message may name.
class UploadsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String TEXT = "what was announced";

  private final SettableClock clock = new SettableClock();
  private final Table table = new Table(new InMemoryTable("t"), "t", new ChangeSignal(true));
  private final InMemoryBucket bucket = new InMemoryBucket();
  private final Uploads uploads =
      new Uploads(
          table,
          InMemoryAws.bucket(bucket),
          new UploadLinks(
              () -> {
                throw new AssertionError("nobody asks for a link");
              },
              "bucket"),
          clock);
  private final Upload upload =
      new Upload(
          WORKSPACE,
          new UploadId(UUID.randomUUID()),
          "a.txt",
          TEXT.length(),
          null,
          null,
          clock.instant(),
          false);

  @Test
  void oneMayBeNamedForADayAndNoLonger() {
    announced();
    bucket.contents().put(upload.objectKey(), TEXT);
    clock.pass(Upload.USABLE.minusMillis(1));
    assertEquals(Optional.of(upload), uploads.ready(WORKSPACE, upload.id()));
    clock.pass(Duration.ofMillis(1));
    assertEquals(Optional.empty(), uploads.ready(WORKSPACE, upload.id()));
  }

  @Test
  void oneMayNotBeNamedBeforeAllOfItIsThere() {
    announced();
    assertEquals(Optional.empty(), uploads.ready(WORKSPACE, upload.id()));
    bucket.contents().put(upload.objectKey(), TEXT.substring(1));
    assertEquals(Optional.empty(), uploads.ready(WORKSPACE, upload.id()));
  }

  @Test
  void noWorkspaceMayNameAnothers() {
    announced();
    bucket.contents().put(upload.objectKey(), TEXT);
    assertEquals(Optional.empty(), uploads.ready(new Workspace("other"), upload.id()));
  }

  private void announced() {
    assertTrue(table.write(UploadItem.put(upload).put()).committed());
  }
}
