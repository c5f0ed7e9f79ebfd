package agentsessions.store.artifact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Upload;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.UploadItem;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The uploads that a message may name.
public class UploadsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String TEXT = "what was announced";

  private final SettableClock clock = new SettableClock();
  private final ContendedTable contended = new ContendedTable(new InMemoryTable("t"));
  private final Table table = new Table(contended, "t", new ChangeSignal(true));
  private final InMemoryBucket bucket = new InMemoryBucket();
  private final Uploads uploads =
      new Uploads(table, InMemoryAws.bucket(bucket), InMemoryAws.uploadLinks(), clock);
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

  @Test
  void ofTwoAnnouncedAtOnceOneIsTooMany() {
    for (int open = 1; open < Uploads.MOST_OPEN; open++) {
      Upload _ = accepted();
    }
    contended.beforeWrite(1, this::accepted);
    assertInstanceOf(Uploads.Announced.TooManyOpen.class, announce());
  }

  @Test
  void oneThatIsForgottenWhileItIsLookedAtDoesNotComeBack() {
    Upload there = accepted();
    bucket.contents().put(there.objectKey(), TEXT);
    for (int open = 1; open < Uploads.MOST_OPEN; open++) {
      Upload _ = accepted();
    }
    Layout.Key key = Layout.upload(WORKSPACE, there.id());
    contended.beforeWrite(1, () -> table.purge(List.of(key)));
    Upload _ = accepted();
    assertTrue(table.item(key).isEmpty());
  }

  private Upload accepted() {
    return assertInstanceOf(Uploads.Announced.Accepted.class, announce()).upload();
  }

  private Uploads.Announced announce() {
    return uploads.announce(WORKSPACE, "a.txt", TEXT.length(), null, null);
  }

  private void announced() {
    assertTrue(table.write(UploadItem.put(upload).overwrite()).committed());
  }
}
