package agentsessions.local.aws;

import agentsessions.local.machine.PortBinding;
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

/// The stand-in of S3: a folder of files behind an HTTP server that checks signatures and their
/// expiry.
///
/// A signature covers host and port, so both must stay the same between runs; otherwise links,
/// which are valid for six days, break at a restart. The credentials that sign links can read
/// artifacts and nothing else, as on AWS.
public final class ObjectStore implements AutoCloseable {
  public static final String BUCKET = "agent-sessions";

  private static final String LINKED = "artifacts/";

  /// The path prefix of all download links.
  public static final String DOWNLOADS = "/" + BUCKET + "/" + LINKED;

  private static final String UPLOADED = "uploads/";

  /// The path prefix of all upload links.
  public static final String UPLOADS = "/" + BUCKET + "/" + UPLOADED;

  /// The size limit of bodies whose hash is signed, which are held in memory until it is checked.
  /// Uploads are not: their links leave the body unsigned.
  private static final long LARGEST_HELD = 1 << 20;

  private static final long LONGEST_GOODBYE_MILLIS = 2_000;

  private final S3Proxy proxy;

  /// @param port 0: any free one
  /// @param own the service's credentials
  /// @param links the credentials that sign download links
  /// @throws CannotStart if the port is taken
  ObjectStore(Path folder, int port, Credentials own, Credentials links) {
    proxy = PortBinding.open(port, "--s3-port", free -> started(folder, free, own, links));
  }

  /// The folder of the bucket in that of the store.
  static Path bucket(Path folder) {
    return folder.resolve(BUCKET);
  }

  /// The folder of clients' uploads in that of the bucket.
  static Path uploads(Path bucket) {
    return bucket.resolve(UPLOADED);
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  private static S3Proxy started(Path folder, int port, Credentials own, Credentials links)
      throws Exception {
    makeBucket(bucket(folder));
    BlobStore store = new ObjectFiles(new FilesystemNio2BlobStore(folder.toString()), folder);
    S3Proxy proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:" + port))
            .awsAuthentication(AuthenticationType.AWS_V4, own.accessKeyId(), own.secretAccessKey())
            .v4MaxNonChunkedRequestSize(LARGEST_HELD)
            .stopTimeout(LONGEST_GOODBYE_MILLIS)
            .blobStore(store)
            .build();
    proxy.setBlobStoreLocator((id, bucket, key) -> grant(store, own, links, id, key));
    SignatureFilter.guard(server(proxy), own.accessKeyId());
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

  /// Makes the bucket's folder, readable by its owner only: a folder that others can read is a
  /// public bucket.
  private static void makeBucket(Path bucket) throws Exception {
    Files.createDirectories(bucket);
    if (bucket.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(bucket, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /// Reads the HTTP server from a private field, since the library does not expose it.
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
