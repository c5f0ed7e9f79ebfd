package agentsessions.authorizer.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/// The signature is that of the SDK's own signer for the same request.
final class RequestSignerTest {
  private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");
  private static final String TARGET = "DynamoDB_20120810.GetItem";

  @ParameterizedTest
  @CsvSource({
    "https://dynamodb.eu-central-1.amazonaws.com/, eu-central-1, secret, token/+==",
    "https://dynamodb.cn-north-1.amazonaws.com.cn/, cn-north-1, secret,",
    "http://127.0.0.1:8000/, us-east-1, test,",
    "https://dynamodb.us-east-1.amazonaws.com/, us-east-1, a-secret-of-more-bytes-than-a-block-of-the-hash-has-which-is-sixty-four, t"
  })
  void itIsTheSdks(URI address, String region, String secret, String token) {
    byte[] body = "{\"TableName\":\"t\u00fcr\"}".getBytes(UTF_8);
    RoleCredentials credentials = new RoleCredentials("AKIDEXAMPLE", secret, token);
    assertEquals(
        sdks(address, region, credentials, body),
        RequestSigner.of(address, region)
            .signed(TARGET, body, credentials, NOW)
            .get("Authorization"));
  }

  private static String sdks(URI address, String region, RoleCredentials credentials, byte[] body) {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(address)
            .putHeader("Content-Type", "application/x-amz-json-1.0")
            .putHeader("X-Amz-Target", TARGET)
            .build();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(sign ->
                sign.identity(identity(credentials))
                    .request(request)
                    .payload(ContentStreamProvider.fromByteArray(body))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(NOW, ZoneOffset.UTC)));
    return signed.request().firstMatchingHeader("Authorization").orElseThrow();
  }

  private static AwsCredentialsIdentity identity(RoleCredentials credentials) {
    return credentials.sessionToken() == null
        ? AwsCredentialsIdentity.create(credentials.accessKeyId(), credentials.secretAccessKey())
        : AwsSessionCredentialsIdentity.create(
            credentials.accessKeyId(), credentials.secretAccessKey(), credentials.sessionToken());
  }
}
