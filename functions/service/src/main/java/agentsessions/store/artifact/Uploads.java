package agentsessions.store.artifact;

import agentsessions.aws.Bucket;
import agentsessions.aws.UploadLinks;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Upload;
import agentsessions.store.workspace.QuotaLock;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.item.UploadItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The uploads of a workspace: announced here, put by a presigned link, named in messages for a
/// day.
@Singleton
public final class Uploads {
  /// The most uploads of a workspace that are announced and not there yet.
  public static final int MOST_OPEN = 20;

  /// The most that may be usable at once, and their bytes together.
  public static final int MOST = 1_000;

  public static final long MOST_BYTES = 5L << 30;

  private static final int FORGOTTEN_AT_ONCE = 25;

  private final Table table;
  private final Bucket bucket;
  private final UploadLinks links;
  private final Clock clock;

  Uploads(Table table, Bucket bucket, UploadLinks links, Clock clock) {
    this.table = table;
    this.bucket = bucket;
    this.links = links;
    this.clock = clock;
  }

  /// The outcome of an announcement.
  public sealed interface Announced {
    /// It is expected: by `link` exactly this file can be put, once.
    record Accepted(Upload upload, UploadLinks.Link link) implements Announced {}

    record TooManyOpen() implements Announced {}

    record TooMuch() implements Announced {}
  }

  /// Announces a file of `size` bytes.
  public Announced announce(
      Workspace workspace,
      String fileName,
      long size,
      @Nullable String sha256,
      @Nullable String mimeType) {
    UploadId id = new UploadId(UUID.randomUUID());
    Upload upload =
        new Upload(workspace, id, fileName, size, sha256, mimeType, clock.instant(), false);
    for (int tries = 1; ; tries++) {
      QuotaLock register = QuotaLock.of(table, Layout.uploadRegister(workspace));
      Optional<Announced> refused = refused(upload, current(workspace));
      if (refused.isPresent()) {
        return refused.get();
      }
      if (table.write(List.of(UploadItem.put(upload).put(), register.next())).committed()) {
        return new Announced.Accepted(upload, links.of(upload));
      }
      Retries.pause("the announcement of an upload", tries);
    }
  }

  /// An upload that a message may name: announced within a day, and there, whole.
  public Optional<Upload> ready(Workspace workspace, UploadId id) {
    Instant now = clock.instant();
    return table
        .item(Layout.upload(workspace, id))
        .map(UploadItem::read)
        .filter(upload -> upload.isUsable(now) && isThere(upload));
  }

  private Optional<Announced> refused(Upload upload, List<Upload> current) {
    Instant now = clock.instant();
    long bytes = current.stream().mapToLong(Upload::size).sum();
    if (current.size() >= MOST || bytes + upload.size() > MOST_BYTES) {
      return Optional.of(new Announced.TooMuch());
    }
    return current.stream().filter(each -> each.isOpen(now)).count() >= MOST_OPEN
        ? Optional.of(new Announced.TooManyOpen())
        : Optional.empty();
  }

  /// The uploads that are there or may yet arrive. The bucket is asked about those whose link has
  /// expired, and about the open ones only where no more of these are allowed.
  private List<Upload> current(Workspace workspace) {
    Instant now = clock.instant();
    List<Upload> all = all(workspace);
    forget(all.stream().filter(upload -> !upload.isUsable(now)));
    List<Upload> usable = all.stream().filter(upload -> upload.isUsable(now)).toList();
    boolean full = usable.stream().filter(upload -> upload.isOpen(now)).count() >= MOST_OPEN;
    return usable.stream()
        .map(upload -> full && upload.isOpen(now) ? lookedAt(upload) : upload)
        .filter(upload -> upload.arrived() || upload.isOpen(now) || isThere(upload))
        .toList();
  }

  private Upload lookedAt(Upload upload) {
    if (!isThere(upload)) {
      return upload;
    }
    Upload arrived = upload.thatArrived();
    boolean _ =
        table.write(UploadItem.put(arrived).when("attribute_exists(#PK)").put()).committed();
    return arrived;
  }

  private boolean isThere(Upload upload) {
    return bucket.size(upload.objectKey()).orElse(-1) == upload.size();
  }

  private void forget(Stream<Upload> over) {
    table.purge(
        over.limit(FORGOTTEN_AT_ONCE)
            .map(upload -> Layout.upload(upload.workspace(), upload.id()))
            .toList());
  }

  private List<Upload> all(Workspace workspace) {
    return table.range(Layout.uploads(workspace), "0", Layout.GREATEST, true, 2 * MOST).stream()
        .filter(item -> !item.has(QuotaLock.REVISION))
        .map(UploadItem::read)
        .toList();
  }
}
