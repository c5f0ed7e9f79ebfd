package agentsessions.local.aws;

import agentsessions.local.aws.JsonProtocol.Answer;
import agentsessions.local.aws.JsonProtocol.Call;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The HTTP endpoint for the service's calls to Step Functions, Secrets Manager, Parameter Store,
/// API Gateway, Lambda and ECS, on loopback in AWS's JSON protocols.
public final class AwsEndpoint implements AutoCloseable {
  /// The id of the secret that signs download links.
  public static final String SIGNING_SECRET = "signing";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final Credentials links;
  private final ParameterCalls parameters;
  private final UsagePlanCalls plan = new UsagePlanCalls();
  private final JsonProtocol protocol = new JsonProtocol();

  /// Opens a port; requests wait until [#serve].
  ///
  /// @param links the credentials that sign download links; Secrets Manager hands them out as the
  ///   secret
  AwsEndpoint(Credentials links, ParameterCalls parameters) {
    this.links = links;
    this.parameters = parameters;
  }

  /// Starts to answer.
  void serve(
      List<StepFunctions> machines,
      WebhookCalls functions,
      RunnerCalls runner,
      Optional<TaskCalls> tasks) {
    ExecutionCalls steps = new ExecutionCalls(machines);
    protocol.serve(call -> answer(call, steps, functions, runner, tasks));
  }

  /// The address of the endpoint. It contains the secret path, so it must not be logged.
  URI endpoint() {
    return protocol.endpoint();
  }

  @Override
  public void close() {
    protocol.close();
  }

  private Answer answer(
      Call call,
      ExecutionCalls steps,
      WebhookCalls functions,
      RunnerCalls runner,
      Optional<TaskCalls> tasks) {
    @Nullable String target = call.target();
    if (target != null) {
      return Answer.ok(called(target, call.input(), steps, tasks));
    }
    if (RunnerCalls.isOne(call.rest())) {
      return Answer.ok(runner.invoke(call.input()));
    }
    if (WebhookCalls.isOne(call.rest())) {
      functions.begin(call.input());
      return new Answer(202, NODES.objectNode());
    }
    return Answer.ok(plan.answer(call.rest(), call.name(), call.input()));
  }

  private ObjectNode called(
      String target, JsonNode input, ExecutionCalls steps, Optional<TaskCalls> tasks) {
    return switch (target) {
      case "AWSStepFunctions.StartExecution" -> steps.start(input);
      case "AWSStepFunctions.StopExecution" -> steps.stop(input);
      case "AWSStepFunctions.DescribeExecution" -> steps.describe(input);
      case "AWSStepFunctions.SendTaskHeartbeat" -> steps.heartbeat(input);
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

  private ObjectNode secret(JsonNode request) {
    String id = request.path("SecretId").asText();
    if (!id.equals(SIGNING_SECRET)
        || !request.path("VersionStage").asText("AWSCURRENT").equals("AWSCURRENT")) {
      throw new AwsRefusal(
          "ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
    }
    ObjectNode pair =
        NODES
            .objectNode()
            .put("access_key_id", links.accessKeyId())
            .put("secret_access_key", links.secretAccessKey());
    ObjectNode node =
        NODES
            .objectNode()
            .put("ARN", "arn:aws:secretsmanager:us-east-1:000000000000:secret:" + id)
            .put("Name", id)
            .put("VersionId", "00000000-0000-0000-0000-000000000000")
            .put("SecretString", pair.toString());
    node.putArray("VersionStages").add("AWSCURRENT");
    return node;
  }
}
