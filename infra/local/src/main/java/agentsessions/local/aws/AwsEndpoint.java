package agentsessions.local.aws;

import agentsessions.local.steps.StepFunctions;
import agentsessions.local.wire.HttpListener;
import agentsessions.local.wire.SecretPath;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The few calls that the service makes to Step Functions, Secrets Manager, Parameter Store, API
/// Gateway, Lambda and ECS, in AWS's JSON protocols on loopback.
///
/// It knows its caller by the secret path of its address; signatures are not checked. Of anybody
/// else's request nothing is read but the head.
public final class AwsEndpoint implements AutoCloseable {
  /// The id of the secret with which links are signed.
  public static final String SIGNING_SECRET = "signing";

  /// Four times what the largest call may be on AWS, the input of an execution of 256 KiB.
  private static final int LARGEST_BODY = 1 << 20;

  private static final Logger log = LoggerFactory.getLogger(AwsEndpoint.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final ObjectNode STRANGER =
      refusal(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
  private static final ObjectNode NOT_UNDERSTOOD =
      refusal("SerializationException", "This is no request.");

  private final SecretPath path = SecretPath.random();
  private final Credentials links;
  private final ParameterCalls parameters;
  private final PlanCalls plan = new PlanCalls();
  private final HttpListener listener;

  /// Opens a port; calls wait until [#serve].
  ///
  /// @param links the pair that signs download links, which is the secret it gives out
  AwsEndpoint(Credentials links, ParameterCalls parameters) {
    this.links = links;
    this.parameters = parameters;
    try {
      listener = new HttpListener(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Answers from now on.
  void serve(
      List<StepFunctions> machines,
      AsyncCalls functions,
      RunnerCalls runner,
      Optional<TaskCalls> tasks) {
    listener.serve(
        new Counter(new ExecutionCalls(machines), functions, runner, tasks),
        (_, response, callback) -> answer(response, callback, 400, NOT_UNDERSTOOD));
  }

  /// It holds a secret.
  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.port() + path.text());
  }

  @Override
  public void close() {
    listener.close();
  }

  private final class Counter extends Handler.Abstract {
    private final ExecutionCalls steps;
    private final AsyncCalls functions;
    private final RunnerCalls runner;
    private final Optional<TaskCalls> tasks;

    Counter(
        ExecutionCalls steps, AsyncCalls functions, RunnerCalls runner, Optional<TaskCalls> tasks) {
      this.steps = steps;
      this.functions = functions;
      this.runner = runner;
      this.tasks = tasks;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      if (path.below(String.valueOf(request.getHttpURI().getPath())).isEmpty()) {
        return answer(response, callback, 403, STRANGER);
      }
      listener.know(request);
      if (AsyncCalls.isOne(request) && !RunnerCalls.isOne(restCall(request))) {
        functions.begin(body(request));
        return answer(response, callback, 202, JSON.createObjectNode());
      }
      return attempt(request, response, callback);
    }

    private boolean attempt(Request request, Response response, Callback callback)
        throws IOException {
      try {
        return answer(response, callback, 200, call(request, steps, runner, tasks));
      } catch (AwsRefusal e) {
        return answer(response, callback, 400, refusal(e.type(), String.valueOf(e.getMessage())));
      } catch (RuntimeException e) {
        log.error("A defect of the local AWS endpoint", e);
        return answer(response, callback, 500, refusal("InternalFailure", e.toString()));
      }
    }
  }

  private ObjectNode call(
      Request request, ExecutionCalls steps, RunnerCalls runner, Optional<TaskCalls> tasks)
      throws IOException {
    JsonNode input = JSON.readTree(body(request));
    @Nullable String target = request.getHeaders().get("X-Amz-Target");
    if (target == null) {
      String call = restCall(request);
      return RunnerCalls.isOne(call)
          ? runner.invoke(input)
          : plan.answer(call, name(request), input);
    }
    return switch (target) {
      case "AWSStepFunctions.StartExecution" -> steps.start(input);
      case "AWSStepFunctions.StopExecution" -> steps.stop(input);
      case "AWSStepFunctions.DescribeExecution" -> steps.describe(input);
      case "AWSStepFunctions.SendTaskHeartbeat" -> steps.beat(input);
      case "AWSStepFunctions.SendTaskSuccess" -> steps.succeed(input);
      case "AWSStepFunctions.SendTaskFailure" -> steps.fail(input);
      case "secretsmanager.GetSecretValue" -> secret(input);
      case "AmazonSSM.PutParameter" -> parameters.put(input);
      case "AmazonSSM.GetParameters" -> parameters.get(input);
      case "AmazonSSM.DeleteParameter" -> parameters.delete(input);
      case String call when TaskCalls.isOne(call) ->
          tasks.orElseThrow(AwsEndpoint::noTasks).answer(call, input);
      default -> throw new AwsRefusal("UnknownOperationException", "not known here: " + target);
    };
  }

  private static AwsRefusal noTasks() {
    return new AwsRefusal("ClusterNotFoundException", "this machine runs no tasks");
  }

  private String restCall(Request request) {
    String address = String.valueOf(request.getHttpURI().getPath());
    return request.getMethod() + " " + path.below(address).orElseThrow();
  }

  private static String name(Request request) {
    @Nullable String name = Request.extractQueryParameters(request).getValue("name");
    return name == null ? "" : name;
  }

  private byte[] body(Request request) throws IOException {
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      throw new AwsRefusal("ValidationException", "the request is larger than 1 MiB");
    }
    listener.answering(request);
    return body;
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
            .put("access_key_id", links.accessKeyId())
            .put("secret_access_key", links.secretAccessKey());
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

  private static boolean answer(Response response, Callback callback, int status, ObjectNode body) {
    response.setStatus(status);
    response.getHeaders().put("Content-Type", "application/x-amz-json-1.0");
    Content.Sink.write(response, true, body.toString(), callback);
    return true;
  }
}
