package agentsessions.local;

import agentsessions.local.steps.Arns;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import agentsessions.local.steps.StepFunctions.Description;
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
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The few calls that the service makes to Step Functions and Secrets Manager, in AWS's JSON
/// protocol on loopback.
///
/// It knows its caller by the random access key id of the data folder; the signature itself is not
/// checked.
final class AwsEndpoint implements AutoCloseable {
  /// The id of the secret with which links are signed.
  static final String SIGNING_SECRET = "signing";

  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_-]{1,80}");
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
    server.createContext("/", exchange -> serve(exchange, steps));
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /// An error in AWS's words.
  private static final class Refused extends RuntimeException {
    private final String type;

    Refused(String type, String message) {
      super(message);
      this.type = type;
    }
  }

  private void serve(HttpExchange exchange, StepFunctions steps) throws IOException {
    try (exchange) {
      attempt(exchange, steps);
    }
  }

  private void attempt(HttpExchange exchange, StepFunctions steps) throws IOException {
    try {
      answer(exchange, 200, call(exchange, steps));
    } catch (Refused e) {
      answer(exchange, 400, refusal(e.type, String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      log.error("A defect of the local AWS endpoint", e);
      answer(exchange, 500, refusal("InternalFailure", e.toString()));
    }
  }

  private ObjectNode call(HttpExchange exchange, StepFunctions steps) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody());
    identify(exchange.getRequestHeaders().getFirst("Authorization"));
    @Nullable String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    return switch (String.valueOf(target)) {
      case "AWSStepFunctions.StartExecution" -> start(request, steps);
      case "AWSStepFunctions.StopExecution" -> stop(request, steps);
      case "AWSStepFunctions.DescribeExecution" -> describe(request, steps);
      case "secretsmanager.GetSecretValue" -> secret(request);
      default -> throw new Refused("UnknownOperationException", "not known here: " + target);
    };
  }

  private void identify(@Nullable String authorization) {
    if (authorization == null
        || !authorization.contains("Credential=" + credentials.accessKeyId() + "/")) {
      throw new Refused(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
    }
  }

  private static ObjectNode start(JsonNode request, StepFunctions steps) {
    if (!request.path("stateMachineArn").asText().equals(Arns.MACHINE)) {
      throw new Refused("StateMachineDoesNotExist", "State Machine Does Not Exist");
    }
    String name = request.path("name").asText(UUID.randomUUID().toString());
    if (!NAME.matcher(name).matches()) {
      throw new Refused("InvalidName", "Invalid Name: '" + name + "'");
    }
    Description started = started(name, request.path("input").asText("{}"), steps);
    return JSON.createObjectNode()
        .put("executionArn", Arns.execution(name))
        .put("startDate", seconds(started.started()));
  }

  private static Description started(String name, String input, StepFunctions steps) {
    try {
      return steps
          .start(name, input)
          .orElseThrow(() ->
              new Refused(
                  "ExecutionAlreadyExists",
                  "Execution Already Exists: '" + Arns.execution(name) + "'"));
    } catch (StepError e) {
      throw new Refused("InvalidExecutionInput", e.cause());
    }
  }

  private static ObjectNode stop(JsonNode request, StepFunctions steps) {
    @Nullable String error = request.path("error").textValue();
    @Nullable String cause = request.path("cause").textValue();
    Description stopped =
        steps.stop(name(request), error, cause).orElseThrow(AwsEndpoint::noExecution);
    return JSON.createObjectNode().put("stopDate", seconds(stopped.stopped()));
  }

  private static ObjectNode describe(JsonNode request, StepFunctions steps) {
    Description execution = steps.describe(name(request)).orElseThrow(AwsEndpoint::noExecution);
    ObjectNode node =
        JSON.createObjectNode()
            .put("executionArn", Arns.execution(execution.name()))
            .put("stateMachineArn", Arns.MACHINE)
            .put("name", execution.name())
            .put("status", execution.status().name())
            .put("startDate", seconds(execution.started()))
            .put("input", execution.input());
    putIfThere(node, "output", execution.output());
    putIfThere(node, "error", execution.error());
    putIfThere(node, "cause", execution.cause());
    if (execution.stopped() != null) {
      node.put("stopDate", seconds(execution.stopped()));
    }
    return node;
  }

  private ObjectNode secret(JsonNode request) {
    String id = request.path("SecretId").asText();
    if (!id.equals(SIGNING_SECRET)
        || !request.path("VersionStage").asText("AWSCURRENT").equals("AWSCURRENT")) {
      throw new Refused(
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

  private static String name(JsonNode request) {
    return Arns.name(request.path("executionArn").asText());
  }

  private static Refused noExecution() {
    return new Refused("ExecutionDoesNotExist", "Execution Does Not Exist");
  }

  private static double seconds(@Nullable Instant time) {
    return time == null ? 0 : time.toEpochMilli() / 1000.0;
  }

  private static void putIfThere(ObjectNode node, String name, @Nullable String value) {
    if (value != null) {
      node.put(name, value);
    }
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
