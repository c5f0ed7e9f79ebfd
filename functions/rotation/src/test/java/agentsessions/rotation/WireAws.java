package agentsessions.rotation;

import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/// A stand-in of IAM, Secrets Manager and S3 on the wire: one user's keys, one secret and one
/// object. A link works if its key exists and is active; a new key is not known everywhere at once.
final class WireAws implements AutoCloseable {
  record Key(String secret, Instant created, boolean active) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final StaticCredentialsProvider OURS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("OURS", "ours"));

  private final Loopback server;
  private final Clock clock;
  private final AtomicInteger made = new AtomicInteger();
  final Map<String, Key> keys = new LinkedHashMap<>();
  String secret = "";
  private String previous = "";

  /// How many fetches of a link fail after each new key; negative: all, for ever.
  int unknownFor = 2;

  private int unknown;

  WireAws(Clock clock) throws IOException {
    this.clock = clock;
    this.server = new Loopback(this::handle);
    String first = make();
    this.secret =
        "{\"access_key_id\":\"%s\",\"secret_access_key\":\"%s\"}"
            .formatted(first, java.util.Objects.requireNonNull(keys.get(first)).secret());
  }

  SigningKeyRotation signingKeys() {
    URI here = URI.create(server.url());
    Region region = Region.US_EAST_1;
    IamClient iam =
        IamClient.builder().endpointOverride(here).region(region).credentialsProvider(OURS).build();
    SecretsManagerClient secrets =
        SecretsManagerClient.builder()
            .endpointOverride(here)
            .region(region)
            .credentialsProvider(OURS)
            .build();
    S3Client s3 =
        S3Client.builder()
            .endpointOverride(here)
            .region(region)
            .credentialsProvider(OURS)
            .forcePathStyle(true)
            .build();
    S3Presigner.Builder presigner =
        S3Presigner.builder()
            .endpointOverride(here)
            .region(region)
            .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build());
    SigningKeyProbe probe = new SigningKeyProbe(s3, presigner, "bucket", Duration.ofMillis(1));
    return new SigningKeyRotation(iam, secrets, probe, "signer", "secret", clock);
  }

  /// The id of the key that signs now.
  String current() throws IOException {
    return JSON.readTree(secret).path("access_key_id").asText();
  }

  boolean works(String keyId) {
    Key key = keys.get(keyId);
    return key != null && key.active();
  }

  String make() {
    String id = "AKIA%016d".formatted(made.incrementAndGet());
    keys.put(id, new Key("secret of " + id, clock.instant(), true));
    unknown = unknownFor;
    return id;
  }

  @Override
  public void close() {
    server.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    if (target != null && body.contains("AWSPREVIOUS") && previous.isEmpty()) {
      answer(exchange, 400, "{\"__type\":\"ResourceNotFoundException\"}");
    } else if (target != null) {
      answer(exchange, 200, secrets(target, body));
    } else if (exchange.getRequestMethod().equals("POST")) {
      answer(exchange, 200, iam(form(body)));
    } else {
      boolean get = exchange.getRequestMethod().equals("GET");
      answer(exchange, get && !opens(exchange.getRequestURI().getRawQuery()) ? 403 : 200, "");
    }
  }

  private String secrets(String target, String body) throws IOException {
    JsonNode request = JSON.readTree(body);
    if (target.endsWith("PutSecretValue")) {
      setBackTo(request.path("SecretString").asText());
      return "{}";
    }
    boolean before = request.path("VersionStage").asText().equals("AWSPREVIOUS");
    return JSON.writeValueAsString(Map.of("SecretString", before ? previous : secret));
  }

  /// Another value, as a change of the template's would write it; the one before stays readable.
  void setBackTo(String value) {
    previous = secret;
    secret = value;
  }

  private String iam(Map<String, String> form) {
    String action = form.getOrDefault("Action", "");
    String id = form.getOrDefault("AccessKeyId", "");
    String result =
        switch (action) {
          case "CreateAccessKey" -> {
            if (keys.size() == 2) {
              throw new IllegalStateException("a user can hold two keys");
            }
            String fresh = make();
            yield "<AccessKey><UserName>signer</UserName><AccessKeyId>%s</AccessKeyId><Status>Active</Status><SecretAccessKey>%s</SecretAccessKey></AccessKey>"
                .formatted(fresh, java.util.Objects.requireNonNull(keys.get(fresh)).secret());
          }
          case "UpdateAccessKey" -> {
            keys.computeIfPresent(id, (_, key) -> new Key(key.secret(), key.created(), false));
            yield "";
          }
          case "DeleteAccessKey" -> {
            keys.remove(id);
            yield "";
          }
          default ->
              "<AccessKeyMetadata>"
                  + listed()
                  + "</AccessKeyMetadata><IsTruncated>false</IsTruncated>";
        };
    return "<%1$sResponse xmlns=\"https://iam.amazonaws.com/doc/2010-05-08/\"><%1$sResult>%2$s</%1$sResult></%1$sResponse>"
        .formatted(action, result);
  }

  private String listed() {
    return keys.entrySet().stream()
        .map(key ->
            "<member><UserName>signer</UserName><AccessKeyId>%s</AccessKeyId><Status>%s</Status><CreateDate>%s</CreateDate></member>"
                .formatted(
                    key.getKey(),
                    key.getValue().active() ? "Active" : "Inactive",
                    key.getValue().created()))
        .collect(Collectors.joining());
  }

  private boolean opens(String query) {
    String credential = form(query).getOrDefault("X-Amz-Credential", "/");
    if (unknown != 0) {
      unknown--;
      return false;
    }
    return works(credential.substring(0, credential.indexOf('/')));
  }

  private static Map<String, String> form(String text) {
    return Arrays.stream(text.split("&", -1))
        .map(pair -> pair.split("=", 2))
        .filter(pair -> pair.length == 2)
        .collect(
            Collectors.toMap(
                pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
