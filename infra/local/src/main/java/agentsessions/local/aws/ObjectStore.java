package agentsessions.local.aws;

import agentsessions.local.machine.Ports;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/// S3 on this machine: files in a folder, signatures and expiry checked.
///
/// A signature covers host and port, so both stay the same between runs, or six-day links die at a
/// restart.
public final class ObjectStore implements AutoCloseable {
  public static final String BUCKET = "agent-sessions";

  private final S3Proxy proxy;

  /// @param port 0 for any free one
  /// @throws CannotStart if the port is taken
  ObjectStore(Path folder, int port, Credentials credentials) {
    proxy = Ports.open(port, "--s3-port", free -> started(folder, free, credentials));
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + proxy.getPort());
  }

  private static S3Proxy started(Path folder, int port, Credentials credentials) throws Exception {
    Files.createDirectories(folder.resolve(BUCKET)); // a bucket is a folder
    S3Proxy proxy =
        S3Proxy.builder()
            .endpoint(URI.create("http://127.0.0.1:" + port))
            .awsAuthentication(
                AuthenticationType.AWS_V4, credentials.accessKeyId(), credentials.secretAccessKey())
            .blobStore(new FilesystemNio2BlobStore(folder.toString()))
            .build();
    proxy.start();
    return proxy;
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
