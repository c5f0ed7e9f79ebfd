package agentsessions.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.testing.SettableClock;
import io.micronaut.json.JsonMapper;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

/// The signer of downloads, which is made once and still follows the rotation of its key.
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class DownloadLinksTest {
  private static final Duration FRESH = Duration.ofMinutes(5);

  private final SettableClock clock = new SettableClock();
  private final Secret secret = new Secret();
  private final Bucket bucket = bucket();

  @AfterEach
  void close() {
    System.clearProperty("aws.region");
  }

  @Test
  void aHundredLinksAskForTheKeyOnce() {
    for (int link = 0; link < 100; link++) {
      assertTrue(link().contains("X-Amz-Credential=FIRST%2F"));
    }
    assertEquals(1, secret.asked);
  }

  @Test
  void aLinkIsSignedByTheKeyThatWasRotatedIn() {
    assertTrue(link().contains("X-Amz-Credential=FIRST%2F"));
    secret.id = "SECOND";
    clock.pass(FRESH);
    String link = link();
    assertTrue(link.contains("X-Amz-Credential=SECOND%2F"), link);
    assertTrue(link.startsWith("http://127.0.0.1:1/bucket/key?"), link);
    assertTrue(link.contains("X-Amz-Expires=518400"), link);
  }

  private Bucket bucket() {
    System.setProperty("aws.region", "us-east-1");
    DownloadSigningKey signer =
        new DownloadSigningKey(secret, JsonMapper.createDefault(), clock, "signing");
    S3Presigner one = new Clients(2).downloads(signer, "http://127.0.0.1:1");
    return new Bucket(new InMemoryBucket(), () -> one, () -> one, "bucket");
  }

  private String link() {
    return bucket.downloadLink("key", "text/plain", "attachment");
  }

  private static final class Secret implements SecretsManagerClient, AwsStandIn {
    private String id = "FIRST";
    private int asked;

    @Override
    public GetSecretValueResponse getSecretValue(GetSecretValueRequest request) {
      asked++;
      return GetSecretValueResponse.builder()
          .secretString("{\"access_key_id\":\"%s\",\"secret_access_key\":\"secret\"}".formatted(id))
          .build();
    }
  }
}
