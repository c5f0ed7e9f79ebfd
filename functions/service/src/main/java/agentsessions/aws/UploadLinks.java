package agentsessions.aws;

import agentsessions.session.input.Upload;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.s3.presigner.model.PresignedPutObjectRequest;

/// Presigned links by which clients put files into the bucket: each for one object that does not
/// exist yet, of exactly the size and, where there is one, the checksum that were announced.
@Singleton
public final class UploadLinks {
  /// The signed headers that every client sends by itself.
  private static final Set<String> UNSAID = Set.of("host", "content-length");

  /// The request by which a file is put.
  ///
  /// @param headers to be sent with the PUT, as they are
  public record Link(String url, Map<String, String> headers) {}

  private final BeanProvider<S3Presigner> presigner;
  private final String bucket;

  public UploadLinks(
      @Named(Clients.FOR_UPLOADS) BeanProvider<S3Presigner> presigner,
      @Property(name = "bucket") String bucket) {
    this.presigner = presigner;
    this.bucket = bucket;
  }

  public Link of(Upload upload) {
    PutObjectRequest.Builder put =
        PutObjectRequest.builder()
            .bucket(bucket)
            .key(upload.objectKey())
            .contentLength(upload.size())
            .ifNoneMatch("*");
    Optional.ofNullable(upload.sha256()).map(UploadLinks::base64).ifPresent(put::checksumSHA256);
    PresignedPutObjectRequest link =
        presigner
            .get()
            .presignPutObject(
                presign -> presign.signatureDuration(Upload.LINK).putObjectRequest(put.build()));
    return new Link(link.url().toExternalForm(), headers(link));
  }

  private static Map<String, String> headers(PresignedPutObjectRequest link) {
    Map<String, String> headers = new TreeMap<>();
    link.signedHeaders()
        .forEach((name, values) -> {
          if (!UNSAID.contains(name.toLowerCase(Locale.ROOT))) {
            headers.put(name, String.join(",", values));
          }
        });
    return headers;
  }

  private static String base64(String hex) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
  }
}
