package agentsessions.jobs.export;

import agentsessions.aws.LargeObjects;
import agentsessions.session.id.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A zip of at most 2 GiB, written file by file. The size and hash of each file are computed as it
/// is written.
final class ExportZip implements AutoCloseable {
  private static final long MOST = 2L << 30;

  /// Kept free for the manifest and the zip's own directory.
  private static final long KEPT_FREE = 64L << 20;

  private final ZipOutputStream zip;
  private long written;

  ExportZip(OutputStream out) {
    this.zip = new ZipOutputStream(out);
  }

  /// The size and hash of a file that was added.
  record Added(long bytes, String sha256) {}

  /// Whether a file of this size fits, however badly it packs.
  boolean hasRoomFor(long bytes) {
    return written + bytes <= MOST - KEPT_FREE;
  }

  Added add(String path, LargeObjects.Content content) throws IOException {
    ZipEntry entry = new ZipEntry(path);
    MessageDigest sha256 = Sha256.digest();
    zip.putNextEntry(entry);
    content.to(new DigestOutputStream(zip, sha256));
    zip.closeEntry();
    written += entry.getCompressedSize();
    return new Added(entry.getSize(), HexFormat.of().formatHex(sha256.digest()));
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
