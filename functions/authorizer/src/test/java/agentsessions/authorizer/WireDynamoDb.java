package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A stand-in of DynamoDB's wire protocol, as far as keys need it. Queued answers come first; else
/// it answers reads from the items that it holds, and other calls by an empty object. It keeps all
/// requests.
final class WireDynamoDb implements AutoCloseable {
  record Answer(int status, String body) {
    static Answer cancelled(String... codes) {
      List<String> reasons = new ArrayList<>();
      for (String code : codes) {
        reasons.add("{\"Code\":\"" + code + "\"}");
      }
      return new Answer(
          400,
          "{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
              + "\"message\":\"cancelled\",\"CancellationReasons\":"
              + reasons
              + "}");
    }
  }

  static final Answer FAULT = new Answer(500, "{\"__type\":\"InternalServerError\"}");

  private static final ObjectMapper JSON = new ObjectMapper();

  final List<JsonNode> requests = new ArrayList<>();
  final Deque<Answer> answers = new ArrayDeque<>();
  private final Map<String, String> items = new HashMap<>();
  private final HttpServer server;
  final DynamoDbClient client;

  WireDynamoDb() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        DynamoDbClient.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
  }

  void hold(String partition, String item) {
    items.put(partition, item);
  }

  void hold(KeyRecord record) throws IOException {
    Map<String, Object> item = new HashMap<>();
    new KeyItem(record).item().forEach((name, value) -> item.put(name, wire(value)));
    hold("KEY#" + record.id(), JSON.writeValueAsString(item));
  }

  /// The environment of a function that is to call it.
  Map<String, String> environment() {
    return Map.of(
        "AWS_REGION", "us-east-1",
        "AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:" + server.getAddress().getPort(),
        "AWS_ACCESS_KEY_ID", "test",
        "AWS_SECRET_ACCESS_KEY", "test");
  }

  private static Map<String, String> wire(AttributeValue value) {
    return switch (value.type()) {
      case S -> Map.of("S", value.s());
      case N -> Map.of("N", value.n());
      case BOOL -> Map.of("BOOL", value.bool().toString());
      case B -> Map.of("B", Base64.getEncoder().encodeToString(value.b().asByteArray()));
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody());
    requests.add(request);
    Answer answer = answers.isEmpty() ? new Answer(200, item(request)) : answers.remove();
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /// The response to a `GetItem` of this partition.
  String held(String partition) {
    String item = items.get(partition);
    return item == null ? "{}" : "{\"Item\":" + item + "}";
  }

  private String item(JsonNode request) {
    JsonNode batch = request.at("/RequestItems/table/Keys");
    if (!batch.isMissingNode()) {
      List<String> found = new ArrayList<>();
      batch.forEach(
          key -> Optional.ofNullable(items.get(key.at("/PK/S").asText())).ifPresent(found::add));
      return "{\"Responses\":{\"table\":" + found + "}}";
    }
    return held(request.path("Key").path("PK").path("S").asText());
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
