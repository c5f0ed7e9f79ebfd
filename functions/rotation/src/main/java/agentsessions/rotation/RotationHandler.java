package agentsessions.rotation;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// The Lambda entry point of the rotation: by a daily schedule, once after each deployment, and by
/// hand with `{"force": true}`. The answer is `{"outcome": "not_due" | "rotated" | "refused"}`.
public final class RotationHandler implements RequestStreamHandler {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SigningKeyRotation keys;
  private final String metrics;
  private final Clock clock;

  /// The constructor that Lambda calls: `SIGNER` (the user), `SIGNING_SECRET`, `BUCKET`, `METRICS`
  /// (the namespace of the key's age).
  public RotationHandler() {
    this(keys(System.getenv()), required(System.getenv(), "METRICS"), Clock.systemUTC());
  }

  RotationHandler(SigningKeyRotation keys, String metrics, Clock clock) {
    this.keys = keys;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    boolean force = JSON.readTree(input).path("force").asBoolean();
    String outcome = keys.run(force).name().toLowerCase(Locale.ROOT);
    output.write("{\"outcome\":\"%s\"}".formatted(outcome).getBytes(StandardCharsets.UTF_8));
    logAge();
  }

  /// A log line that CloudWatch makes a metric of (embedded metric format).
  private void logAge() {
    System.out.printf(
        "{\"_aws\":{\"Timestamp\":%d,\"CloudWatchMetrics\":[{\"Namespace\":\"%s\",\"Dimensions\":[[]],"
            + "\"Metrics\":[{\"Name\":\"SigningKeyAgeDays\"}]}]},\"SigningKeyAgeDays\":%d}%n",
        clock.millis(), metrics, keys.ageDays());
  }

  private static SigningKeyRotation keys(Map<String, String> environment) {
    SigningKeyProbe probe =
        new SigningKeyProbe(
            S3Client.builder().forcePathStyle(endpoint(environment).isPresent()).build(),
            presigner(endpoint(environment)),
            required(environment, "BUCKET"),
            Duration.ofSeconds(1));
    return new SigningKeyRotation(
        IamClient.builder().build(), // IAM has one endpoint for each partition
        SecretsManagerClient.create(),
        probe,
        required(environment, "SIGNER"),
        required(environment, "SIGNING_SECRET"),
        Clock.systemUTC());
  }

  /// The presigner, alone among the clients, does not look for an endpoint by itself.
  private static S3Presigner.Builder presigner(Optional<URI> endpoint) {
    S3Presigner.Builder builder =
        S3Presigner.builder()
            .serviceConfiguration(
                S3Configuration.builder().pathStyleAccessEnabled(endpoint.isPresent()).build());
    endpoint.ifPresent(builder::endpointOverride);
    return builder;
  }

  private static Optional<URI> endpoint(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("AWS_ENDPOINT_URL_S3"))
        .or(() -> Optional.ofNullable(environment.get("AWS_ENDPOINT_URL")))
        .map(URI::create);
  }

  private static String required(Map<String, String> environment, String name) {
    return Objects.requireNonNull(environment.get(name), name);
  }
}
