package agentsessions.local.aws;

import agentsessions.local.machine.Ports;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.gaul.s3proxy.AccessGrant;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.shaded.org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;

/// S3 on this machine: files in a folder, signatures and expiry checked.
///
/// A signature covers host and port, so both stay the same between runs, or six-day links die at a
/// restart. The pair that signs links may read artifacts and nothing else, as on AWS.
public final class ObjectStore implements AutoCloseable {
  public static final String BUCKET = "agent-sessions";

  private static final String LINKED = "artifacts/";

  /// How the path of every download link begins.
  public static final String DOWNLOADS = "/" + BUCKET + "/" + LINKED;

  private static final String UPLOADED = "uploads/";

  /// How the path of every link begins by which a client puts a file.
  public static final String UPLOADS = "/" + BUCKET + "/" + UPLOADED;

  /// A body whose hash is signed is held in memory until it is checked; uploads are not such.
  private static final long LARGEST_HELD = 1 << 20;

  private static final long LONGEST_GOODBYE_MILLIS = 2_000;

  private final S3Proxy proxy;

  /// @param port 0 for any free one
  /// @param own the pair of the service
  /// @param links the pair that signs download links
  /// @throws CannotStart if the port is taken
  ObjectStore(Path folder, int port, Credentials own, Credentials links) {
    proxy = Ports.open(port, "--s3-port", free -> started(folder, free, own, links));
  }

  /// The folder of what clients put.
  static Path uploads(Path folder) {
    return folder.resolve(BUCKET).resolve(UPLOADED);
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  private static S3Proxy started(Path folder, int port, Credentials own, Credentials links)
      throws Exception {
    makeBucket(folder.resolve(BUCKET));
    BlobStore store = new FilesystemNio2BlobStore(folder.toString());
    S3Proxy proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:" + port))
            .awsAuthentication(AuthenticationType.AWS_V4, own.accessKeyId(), own.secretAccessKey())
            .v4MaxNonChunkedRequestSize(LARGEST_HELD)
            .stopTimeout(LONGEST_GOODBYE_MILLIS)
            .blobStore(store)
            .build();
    proxy.setBlobStoreLocator((id, bucket, key) -> grant(store, own, links, id, key));
    SignedOnly.guard(server(proxy), own.accessKeyId());
    proxy.start();
    return proxy;
  }

  private static @Nullable AccessGrant grant(
      BlobStore store,
      Credentials own,
      Credentials links,
      @Nullable String id,
      @Nullable String key) {
    if (own.accessKeyId().equals(id)) {
      return new AccessGrant(own.secretAccessKey(), store);
    }
    boolean linked = links.accessKeyId().equals(id) && key != null && key.startsWith(LINKED);
    return linked ? new AccessGrant(links.secretAccessKey(), store) : null;
  }

  /// A bucket is a folder, and it is public if others may read the folder.
  private static void makeBucket(Path bucket) throws Exception {
    Files.createDirectories(bucket);
    if (bucket.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(bucket, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /// The proxy says nothing of the HTTP server inside it.
  private static Server server(S3Proxy proxy) throws ReflectiveOperationException {
    Field field = S3Proxy.class.getDeclaredField("server");
    field.setAccessible(true);
    return (Server) field.get(proxy);
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException("The object store did not stop", e);
    }
  }
}
