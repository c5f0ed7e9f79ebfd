package agentsessions.jobs.export;

import agentsessions.aws.Bucket;
import agentsessions.aws.LargeObjects;
import agentsessions.session.Export;
import agentsessions.session.ExportId;
import agentsessions.session.id.SessionKey;
import agentsessions.store.export.Exports;
import jakarta.inject.Singleton;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The builder of exports. An attempt is a lease, renewed while something is written; a builder
/// that has lost it, also because the session was deleted, leaves nothing behind.
///
/// `export.failed` is logged, and raises an alarm, for an export that should have been built and
/// was not, also where its lease was not renewed in time. A deleted session needs no export.
@Singleton
public final class ExportBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(ExportBuilder.class);
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);

  private final Exports exports;
  private final ExportContents contents;
  private final LargeObjects objects;
  private final Bucket bucket;

  ExportBuilder(Exports exports, ExportContents contents, LargeObjects objects, Bucket bucket) {
    this.exports = exports;
    this.contents = contents;
    this.objects = objects;
    this.bucket = bucket;
  }

  /// Builds one attempt of an export, unless it is over or another one has begun.
  public void build(SessionKey key, ExportId id, int attempt) {
    exports
        .find(key, id)
        .export()
        .filter(export -> export.attempt() == attempt)
        .filter(export -> export.state() instanceof Export.State.Working)
        .ifPresent(this::build);
  }

  private void build(Export export) {
    try {
      renew(export);
      objects.write(export.objectKey(), out -> contents.write(export, new Pulse(out, export)));
      if (!exports.finish(export)) {
        bucket.delete(export.objectKey());
        throw lost();
      }
    } catch (IOException | RuntimeException fault) {
      unbuilt(export, fault);
    }
  }

  private void renew(Export export) throws IOException {
    if (!exports.renew(export)) {
      throw lost();
    }
  }

  private static IOException lost() {
    return new IOException("the builder was silent for too long, or the session is gone");
  }

  private void unbuilt(Export export, Exception fault) {
    if (isGone(export, fault)) {
      LOG.atInfo().addKeyValue("export", export.id()).log("export.needless");
      return;
    }
    LOG.atError()
        .addKeyValue("session", export.sessionKey().id())
        .addKeyValue("export", export.id())
        .setCause(fault)
        .log("export.failed");
    exports.fail(export);
  }

  /// Whether the session is gone. Where that cannot be read, the export counts as failed.
  private boolean isGone(Export export, Exception fault) {
    try {
      return !exports.find(export.sessionKey(), export.id()).sessionFound();
    } catch (RuntimeException unknown) {
      fault.addSuppressed(unknown);
      return false;
    }
  }

  /// A stream that renews the builder's lease while something is written.
  private final class Pulse extends FilterOutputStream {
    private final Export export;
    private long last = System.nanoTime();

    Pulse(OutputStream out, Export export) {
      super(out);
      this.export = export;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      long now = System.nanoTime();
      if (now - last > HEARTBEAT.toNanos()) {
        last = now;
        renew(export);
      }
      out.write(bytes, from, length);
    }
  }
}
