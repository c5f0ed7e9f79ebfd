package agentsessions.local.aws;

import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The few calls that the service makes to Step Functions and Secrets Manager, in AWS's JSON
/// protocol on loopback.
///
/// It knows its caller by the random access key id of the data folder; the signature itself is not
/// checked.
public final class AwsEndpoint implements AutoCloseable {
  /// The id of the secret with which links are signed.
  public static final String SIGNING_SECRET = "signing";

  private static final Logger log = LoggerFactory.getLogger(AwsEndpoint.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Credentials credentials;
  private final HttpServer server;

  /// Opens a port; calls wait until [#serve].
  AwsEndpoint(Credentials credentials) {
    this.credentials = credentials;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
  }

  /// Answers from now on.
  void serve(StepFunctions steps) {
    ExecutionCalls calls = new ExecutionCalls(steps);
    server.createContext("/", exchange -> serve(exchange, calls));
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange, ExecutionCalls steps) throws IOException {
    try (exchange) {
      attempt(exchange, steps);
    }
  }

  private void attempt(HttpExchange exchange, ExecutionCalls steps) throws IOException {
    try {
      answer(exchange, 200, call(exchange, steps));
    } catch (AwsRefusal e) {
      answer(exchange, 400, refusal(e.type(), String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      log.error("A defect of the local AWS endpoint", e);
      answer(exchange, 500, refusal("InternalFailure", e.toString()));
    }
  }

  private ObjectNode call(HttpExchange exchange, ExecutionCalls steps) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody());
    identify(exchange.getRequestHeaders().getFirst("Authorization"));
    @Nullable String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    return switch (String.valueOf(target)) {
      case "AWSStepFunctions.StartExecution" -> steps.start(request);
      case "AWSStepFunctions.StopExecution" -> steps.stop(request);
      case "AWSStepFunctions.DescribeExecution" -> steps.describe(request);
      case "secretsmanager.GetSecretValue" -> secret(request);
      default -> throw new AwsRefusal("UnknownOperationException", "not known here: " + target);
    };
  }

  private void identify(@Nullable String authorization) {
    if (authorization == null
        || !authorization.contains("Credential=" + credentials.accessKeyId() + "/")) {
      throw new AwsRefusal(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
    }
  }

  private ObjectNode secret(JsonNode request) {
    String id = request.path("SecretId").asText();
    if (!id.equals(SIGNING_SECRET)
        || !request.path("VersionStage").asText("AWSCURRENT").equals("AWSCURRENT")) {
      throw new AwsRefusal(
          "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
    }
    ObjectNode pair =
        JSON.createObjectNode()
            .put("access_key_id", credentials.accessKeyId())
            .put("secret_access_key", credentials.secretAccessKey());
    ObjectNode node =
        JSON.createObjectNode()
            .put("ARN", "arn:aws:secretsmanager:us-east-1:000000000000:secret:" + id)
            .put("Name", id)
            .put("VersionId", "00000000-0000-0000-0000-000000000000")
            .put("SecretString", pair.toString());
    node.putArray("VersionStages").add("AWSCURRENT");
    return node;
  }

  private static ObjectNode refusal(String type, String message) {
    return JSON.createObjectNode().put("__type", type).put("message", message);
  }

  private static void answer(HttpExchange exchange, int status, ObjectNode body)
      throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
