package agentsessions.api;

import agentsessions.aws.Bucket;
import agentsessions.aws.Exports;
import agentsessions.aws.LargeObjects;
import agentsessions.session.Export;
import agentsessions.session.ExportId;
import agentsessions.session.SessionKey;
import jakarta.inject.Singleton;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Builds exports. Only one attempt at a time is anybody's: it is renewed while something is
/// written, and whoever has lost it, also because the session was deleted, leaves nothing behind.
@Singleton
public final class ExportBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(ExportBuilder.class);
  private static final Duration BEAT = Duration.ofSeconds(10);

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
  public void build(SessionKey session, ExportId id, int attempt) {
    exports
        .find(session, id)
        .export()
        .filter(export -> export.attempt() == attempt)
        .filter(exports::renew)
        .ifPresent(this::build);
  }

  private void build(Export export) {
    try {
      objects.write(export.objectKey(), out -> contents.write(export, new Pulse(out, export)));
      if (!exports.finish(export)) {
        bucket.delete(export.objectKey());
      }
    } catch (IOException | RuntimeException fault) {
      LOG.atError()
          .addKeyValue("session", export.session().id())
          .addKeyValue("export", export.id())
          .setCause(fault)
          .log("export.failed");
      exports.fail(export);
    }
  }

  /// Says, while something is written, that the builder is alive.
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
      if (now - last > BEAT.toNanos()) {
        last = now;
        renew();
      }
      out.write(bytes, from, length);
    }

    private void renew() throws IOException {
      if (!exports.renew(export)) {
        throw new IOException("the export is another's, or its session is gone");
      }
    }
  }
}
