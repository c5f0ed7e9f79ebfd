package agentsessions.aws;

import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// The origin of download links (scheme, host and port), for the console's Content-Security-Policy.
/// It is found by signing a link with dummy credentials, since only the presigner knows the
/// bucket's host in its Region.
@Singleton
public final class DownloadOrigin {
  private static final AwsBasicCredentials NOBODYS = AwsBasicCredentials.create("none", "none");

  private final String bucket;
  private final String url;

  /// @param url where clients reach the bucket; empty: where the service does
  DownloadOrigin(
      @Property(name = "bucket") String bucket,
      @Property(name = "download.url", defaultValue = "") String url) {
    this.bucket = bucket;
    this.url = url;
  }

  public String text() {
    Optional<URI> address = Optional.of(url).filter(it -> !it.isEmpty()).map(URI::create);
    try (S3Presigner presigner =
        Clients.presigner(StaticCredentialsProvider.create(NOBODYS), address)) {
      URI link = URI.create(link(presigner));
      return link.getScheme() + "://" + link.getRawAuthority();
    }
  }

  private String link(S3Presigner presigner) {
    return presigner
        .presignGetObject(presign ->
            presign
                .signatureDuration(Bucket.DOWNLOAD)
                .getObjectRequest(get -> get.bucket(bucket).key("artifacts/0")))
        .url()
        .toExternalForm();
  }
}
