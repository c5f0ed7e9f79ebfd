package agentsessions.rotation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.iam.model.AccessKey;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// The probe of a new signing key, which waits until links signed by it work. IAM takes its time: a
/// key is known here and not yet there, so it must work several times running.
final class SigningKeyProbe {
  private static final String OBJECT = "artifacts/probe";
  private static final int RUNNING = 5;
  private static final int MOST = 60;
  private static final Duration CALL = Duration.ofSeconds(5);

  private final S3Client s3;
  private final S3Presigner.Builder presigner;
  private final String bucket;
  private final Duration between;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CALL).build();

  SigningKeyProbe(S3Client s3, S3Presigner.Builder presigner, String bucket, Duration between) {
    this.s3 = s3;
    this.presigner = presigner;
    this.bucket = bucket;
    this.between = between;
  }

  /// Returns when links by this key work.
  ///
  /// @throws IllegalStateException if they do not within sixty tries
  void awaitUsable(AccessKey key) {
    s3.putObject(put -> put.bucket(bucket).key(OBJECT), RequestBody.fromString("ok"));
    URI link = link(key);
    int running = 0;
    for (int tries = 0; running < RUNNING; tries++) {
      if (tries == MOST) {
        throw new IllegalStateException("a new signing key signs no link that works");
      }
      running = works(link) ? running + 1 : 0;
      LockSupport.parkNanos(between.toNanos());
    }
  }

  private URI link(AccessKey key) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(key.accessKeyId(), key.secretAccessKey());
    try (S3Presigner signer =
        presigner.credentialsProvider(StaticCredentialsProvider.create(credentials)).build()) {
      String url =
          signer
              .presignGetObject(presign ->
                  presign
                      .signatureDuration(Duration.ofMinutes(10))
                      .getObjectRequest(get -> get.bucket(bucket).key(OBJECT)))
              .url()
              .toExternalForm();
      return URI.create(url);
    }
  }

  private boolean works(URI link) {
    try {
      HttpRequest request = HttpRequest.newBuilder(link).timeout(CALL).build();
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException unreachable) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }
}
