package agentsessions.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The permissions of each role beyond its own log. Emulators of AWS do not enforce them, so a new
/// call to AWS in a function has to be added here, too.
class PermissionsTest {
  private static final String TABLE = " Table.Arn";
  private static final String BUCKET = " Bucket.Arn";
  private static final String PARAMETERS = " parameter/agent-sessions/${AWS::StackName}/";
  private static final String DATA_KEY = PARAMETERS + "data-key";
  private static final String WEBHOOK_KEY = PARAMETERS + "webhook-key";
  private static final String INVOKE = "lambda:InvokeFunction Webhooks.Alias";

  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry(
              "Authorizer", Set.of("dynamodb:GetItem" + TABLE, "dynamodb:UpdateItem" + TABLE)),
          Map.entry(
              "Sessions",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:DeleteItem" + TABLE,
                  "dynamodb:ConditionCheckItem" + TABLE,
                  "dynamodb:Query ${Table.Arn}/index/live",
                  "states:StartExecution TurnMachine",
                  "s3:GetObject ${Bucket.Arn}/uploads/*",
                  "s3:PutObject ${Bucket.Arn}/texts/*/uploads/*",
                  "s3:ListBucket" + BUCKET,
                  "ssm:GetParameters" + DATA_KEY,
                  "ssm:PutParameter" + DATA_KEY,
                  "ssm:GetParameters" + WEBHOOK_KEY,
                  "ssm:PutParameter" + WEBHOOK_KEY,
                  INVOKE)),
          Map.entry(
              "Messages",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "s3:ListBucket" + BUCKET,
                  "s3:GetObject ${Bucket.Arn}/texts/*")),
          Map.entry(
              "Artifacts",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "secretsmanager:GetSecretValue SigningSecret")),
          Map.entry(
              "Exports",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "states:StartExecution ExportMachine",
                  "secretsmanager:GetSecretValue SigningSecret")),
          Map.entry(
              "Export",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "s3:ListBucket" + BUCKET,
                  "s3:GetObject ${Bucket.Arn}/artifacts/*",
                  "s3:GetObject ${Bucket.Arn}/texts/*",
                  "s3:PutObject ${Bucket.Arn}/artifacts/*/exports/*",
                  "s3:AbortMultipartUpload ${Bucket.Arn}/artifacts/*/exports/*",
                  "s3:DeleteObject ${Bucket.Arn}/artifacts/*/exports/*")),
          Map.entry(
              "Events",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "s3:ListBucket" + BUCKET,
                  "s3:GetObject ${Bucket.Arn}/texts/*",
                  "secretsmanager:GetSecretValue SigningSecret")),
          Map.entry(
              "TurnSteps",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:DeleteItem" + TABLE,
                  "lambda:InvokeFunction Runner.Alias",
                  "lambda:InvokeFunction TenantRunner.Alias",
                  "lambda:InvokeFunction RunnerFunction",
                  INVOKE)),
          Map.entry("Runner", Set.of()),
          Map.entry("TenantRunner", Set.of()),
          Map.entry(
              "RunnerApi",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:DeleteItem" + TABLE,
                  "s3:GetObject ${Bucket.Arn}/artifacts/*",
                  "s3:PutObject ${Bucket.Arn}/artifacts/*",
                  "s3:GetObject ${Bucket.Arn}/uploads/*",
                  "s3:GetObject ${Bucket.Arn}/texts/*",
                  "s3:PutObject ${Bucket.Arn}/texts/*",
                  "s3:GetObject ${Bucket.Arn}/sandboxes/*",
                  "s3:PutObject ${Bucket.Arn}/sandboxes/*",
                  "s3:DeleteObject ${Bucket.Arn}/sandboxes/*",
                  "s3:ListBucket" + BUCKET,
                  "states:SendTaskHeartbeat TurnMachine",
                  "states:SendTaskSuccess TurnMachine",
                  "states:SendTaskFailure TurnMachine",
                  "states:StartExecution TurnMachine",
                  "ssm:GetParameters" + DATA_KEY,
                  "ssm:GetParameters" + PARAMETERS + "secrets/*",
                  "secretsmanager:GetSecretValue ModelSecret",
                  "kms:Decrypt ModelSecretKey",
                  INVOKE)),
          Map.entry(
              "Sweep",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:DeleteItem" + TABLE,
                  "dynamodb:BatchWriteItem" + TABLE,
                  "dynamodb:Query ${Table.Arn}/index/live",
                  "states:StartExecution TurnMachine",
                  "states:SendTaskFailure TurnMachine",
                  "states:StopExecution execution:${TurnMachine.Name}:*",
                  "s3:ListBucket" + BUCKET,
                  "s3:GetObject ${Bucket.Arn}/sandboxes/*",
                  "s3:DeleteObject ${Bucket.Arn}/*",
                  "apigateway:GET /apikeys",
                  "apigateway:GET /usageplans/${UsagePlan}/keys",
                  "apigateway:DELETE /apikeys/*",
                  "lambda:InvokeFunction Authorizer.Alias",
                  "lambda:InvokeFunction Sessions.Alias",
                  "lambda:InvokeFunction Messages.Alias",
                  "lambda:InvokeFunction Artifacts.Alias",
                  "lambda:InvokeFunction Exports.Alias",
                  "lambda:InvokeFunction Export.Alias",
                  "lambda:InvokeFunction Events.Alias",
                  "lambda:InvokeFunction Settings.Alias",
                  "lambda:InvokeFunction TurnSteps.Alias",
                  "lambda:InvokeFunction RunnerApi.Alias",
                  INVOKE)),
          Map.entry(
              "Webhooks",
              Set.of(
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:BatchWriteItem" + TABLE,
                  "dynamodb:Query ${Table.Arn}/index/live",
                  "ssm:GetParameters" + WEBHOOK_KEY)),
          Map.entry(
              "Rotation",
              Set.of(
                  "iam:ListAccessKeys Signer.Arn",
                  "iam:CreateAccessKey Signer.Arn",
                  "iam:UpdateAccessKey Signer.Arn",
                  "iam:DeleteAccessKey Signer.Arn",
                  "secretsmanager:GetSecretValue SigningSecret",
                  "secretsmanager:PutSecretValue SigningSecret",
                  "s3:PutObject ${Bucket.Arn}/artifacts/probe")),
          Map.entry(
              "Settings",
              Set.of(
                  "dynamodb:ConditionCheckItem" + TABLE,
                  "dynamodb:GetItem" + TABLE,
                  "dynamodb:BatchGetItem" + TABLE,
                  "dynamodb:Query" + TABLE,
                  "dynamodb:PutItem" + TABLE,
                  "dynamodb:UpdateItem" + TABLE,
                  "dynamodb:DeleteItem" + TABLE,
                  "dynamodb:BatchWriteItem" + TABLE,
                  "ssm:PutParameter" + PARAMETERS + "secrets/*",
                  "ssm:DeleteParameter" + PARAMETERS + "secrets/*",
                  "ssm:GetParameters" + PARAMETERS + "usage-plan",
                  "ssm:GetParameters" + WEBHOOK_KEY,
                  "ssm:PutParameter" + WEBHOOK_KEY,
                  INVOKE,
                  "apigateway:GET /apikeys",
                  "apigateway:POST /apikeys",
                  "apigateway:PUT /apikeys",
                  "apigateway:PUT /tags/*apikeys*",
                  "apigateway:TagResource /apikeys",
                  "apigateway:TagResource /tags/*apikeys*",
                  "apigateway:DELETE /apikeys/*",
                  "s3:GetObject ${Bucket.Arn}/uploads/*",
                  "s3:PutObject ${Bucket.Arn}/uploads/*",
                  "s3:ListBucket" + BUCKET)));

  @Test
  void noFunctionMayMoreThanIsListed() {
    Map<String, Set<String>> found = new TreeMap<>();
    StackTemplate.functions().forEach((name, properties) -> found.put(name, allowed(properties)));
    assertEquals(new TreeMap<>(ALLOWED), found);
  }

  /// The store reads one item or several as it sees fit, and IAM judges each action by its own
  /// name. The authorizer reads a key alone, without the store.
  @Test
  void whoReadsAnItemMayReadSeveral() {
    StackTemplate.functions()
        .forEach((name, properties) -> {
          Set<String> allowed = allowed(properties);
          if (allowed.contains("dynamodb:GetItem" + TABLE) && !name.equals("Authorizer")) {
            assertTrue(allowed.contains("dynamodb:BatchGetItem" + TABLE), name);
          }
        });
  }

  /// Keys, which decide on access, and secrets with the hosts that may get them are written by one
  /// function only. The authorizer may only write the time at which a key was last used.
  @Test
  void onlySettingsMayWriteKeysAndSecrets() {
    Map<String, JsonNode> others = new TreeMap<>(StackTemplate.functions());
    others.keySet().removeAll(Set.of("Authorizer", "Settings", "Webhooks"));
    assertEquals(
        Set.of("KEY#*", "W#*#KEYS", "W#*#SECRETS", "W#*#UPLOADS", "W#*#WEBHOOKS*", "W#*#WORKING"),
        Set.copyOf(
            condition(StackTemplate.properties("Settings"), 0, "StringLike", "LeadingKeys")));
    JsonNode authorizer = StackTemplate.properties("Authorizer");
    assertEquals(List.of("KEY#*"), condition(authorizer, 1, "StringLike", "LeadingKeys"));
    assertEquals(
        List.of("PK", "SK", "last_used_at"),
        condition(authorizer, 1, "StringEquals", "Attributes"));
    others.forEach((name, properties) -> {
      Set<String> writes =
          new TreeSet<>(
              allowed(properties).stream()
                  .filter(grant -> grant.matches("dynamodb:.*(Put|Update|Delete|Write).*"))
                  .toList());
      assertEquals(writes, denied(properties), name);
    });
  }

  /// The function that connects to hosts named by clients reaches webhooks, the outbox and
  /// deliveries, and nothing else.
  @Test
  void theSenderOfEventsSeesNoSession() {
    JsonNode webhooks = StackTemplate.properties("Webhooks");
    assertEquals(
        List.of("W#*#WEBHOOKS*", "W#*#OUTBOX"),
        condition(webhooks, 0, "StringLike", "LeadingKeys"));
    assertEquals(List.of("DELIVERY#*"), condition(webhooks, 1, "StringLike", "LeadingKeys"));
  }

  @Test
  void theRunnerWritesItsOwnLogAndWhatWasDroppedAndHoldsNothingOfOurs() {
    JsonNode runner = StackTemplate.properties("Runner");
    assertEquals("RunnerRole.Arn", runner.path("Role").asText());
    JsonNode policies = StackTemplate.properties("RunnerRole").path("Policies");
    assertEquals(2, policies.size());
    assertFalse(StackTemplate.properties("RunnerRole").has("ManagedPolicyArns"));
    assertEquals(
        Set.of("logs:CreateLogStream RunnerLog.Arn", "logs:PutLogEvents RunnerLog.Arn"),
        statements(policies.get(0).path("PolicyDocument")));
    assertEquals(Set.of("sns:Publish Dropped"), statements(policies.get(1).path("PolicyDocument")));
    Set<String> variables = new TreeSet<>();
    runner.path("Environment").path("Variables").fieldNames().forEachRemaining(variables::add);
    assertEquals(Set.of("ISOLATION", "LC_ALL"), variables);
  }

  @Test
  void theRunnerWithAgentsIsNoMore() {
    JsonNode withAgents = StackTemplate.read("infra/runner/template.yaml").path("Resources");
    assertEquals(StackTemplate.resources().path("RunnerRole"), withAgents.path("RunnerRole"));
    JsonNode runner = withAgents.path("Runner").path("Properties");
    for (String same :
        Set.of(
            "Role",
            "MemorySize",
            "EphemeralStorage",
            "Timeout",
            "EventInvokeConfig",
            "LoggingConfig")) {
      assertEquals(StackTemplate.properties("Runner").path(same), runner.path(same), same);
    }
    assertEquals(
        List.of("BoundsRunner", "RunnerConcurrency"),
        StackTemplate.texts(runner.path("ReservedConcurrentExecutions")).subList(0, 2));
    assertEquals("none", runner.at("/Environment/Variables/ISOLATION").asText());
    assertEquals(2, runner.at("/Environment/Variables").size());
  }

  @Test
  void theMachinesInvokeTheirFunctionsOnly() {
    assertEquals(
        Set.of("lambda:InvokeFunction Export.Alias"),
        allowed(StackTemplate.properties("ExportMachine")));
    assertEquals(
        Set.of("lambda:InvokeFunction TurnSteps.Alias"),
        allowed(StackTemplate.properties("TurnMachine")));
  }

  /// The state machine names the function, so the function's permission on the state machine is a
  /// policy of its own: else they would form a circle.
  @Test
  void theStepsEndTheirOwnTasksAndNothingElse() {
    JsonNode tasks = StackTemplate.properties("TurnStepsTasks");
    assertEquals(List.of("TurnStepsRole"), StackTemplate.texts(tasks.path("Roles")));
    assertEquals(
        Set.of("states:SendTaskSuccess TurnMachine", "states:SendTaskFailure TurnMachine"),
        statements(tasks.path("PolicyDocument")));
    assertEquals(
        Set.of("TurnStepsTasks", "TurnStepsEngine", "SweepEngine", "SettingsPlan"),
        StackTemplate.ofType("AWS::IAM::Policy").keySet());
  }

  /// The list of gateway keys is shared by all stacks of an account.
  @Test
  void keysOfOtherStacksAreOutOfReach() {
    JsonNode plan = StackTemplate.properties("SettingsPlan");
    assertEquals(List.of("SettingsRole"), StackTemplate.texts(plan.path("Roles")));
    assertEquals(
        Set.of("apigateway:POST /usageplans/${UsagePlan}/keys"),
        statements(plan.path("PolicyDocument")));
    List<JsonNode> deleting = allowing("apigateway:DELETE");
    assertEquals(2, deleting.size());
    deleting.forEach(statement ->
        assertEquals(
            "AWS::StackName",
            statement
                .at("/Condition/StringEquals")
                .path("aws:ResourceTag/agent-sessions")
                .asText()));
  }

  /// A parameter holds a key that seals data. Only that key opens it again, so a replaced one would
  /// lose the data.
  @Test
  void noParameterIsEverReplaced() {
    List<JsonNode> putting = allowing("ssm:PutParameter");
    assertEquals(3, putting.size());
    putting.forEach(statement ->
        assertEquals(
            "true", statement.at("/Condition/StringNotEquals").path("ssm:Overwrite").asText()));
  }

  /// This task definition, in this cluster, with this role: no other task may be run, and no other
  /// role be passed on.
  @Test
  void theStepsStartTasksOfTheRunnerAndNothingElse() {
    JsonNode engine = StackTemplate.properties("TurnStepsEngine");
    assertEquals(List.of("TurnStepsRole"), StackTemplate.texts(engine.path("Roles")));
    assertEquals(
        Set.of(
            "ecs:RunTask task-definition/${AWS::StackName}-runner:*",
            "iam:PassRole TaskExecutionRole.Arn"),
        statements(engine.path("PolicyDocument")));
    assertEquals(
        "${AWS::StackName}-runner", StackTemplate.properties("RunnerTask").path("Family").asText());
    JsonNode run = engine.at("/PolicyDocument/Statement/0/Condition");
    assertEquals("Cluster.Arn", run.at("/ArnEquals/ecs:cluster").asText());
    JsonNode pass = engine.at("/PolicyDocument/Statement/1/Condition");
    assertEquals("ecs-tasks.amazonaws.com", pass.at("/StringEquals/iam:PassedToService").asText());
  }

  @Test
  void theSweepStopsTasksOfTheClusterAndNothingElse() {
    JsonNode engine = StackTemplate.properties("SweepEngine");
    assertEquals(List.of("SweepRole"), StackTemplate.texts(engine.path("Roles")));
    assertEquals(
        Set.of("ecs:StopTask task/${Cluster}/*", "ecs:DescribeTasks task/${Cluster}/*"),
        statements(engine.path("PolicyDocument")));
    JsonNode cluster = engine.at("/PolicyDocument/Statement/0/Condition");
    assertEquals("Cluster.Arn", cluster.at("/ArnEquals/ecs:cluster").asText());
  }

  /// The role that starts a task may fetch the image and the keys and write the log; the containers
  /// have no role.
  @Test
  void aTaskHasNoRoleAndTheAgentsContainerNoKey() {
    JsonNode task = StackTemplate.properties("RunnerTask");
    assertFalse(task.has("TaskRoleArn"));
    JsonNode policies = StackTemplate.properties("TaskExecutionRole").path("Policies");
    assertEquals(1, policies.size());
    assertEquals(
        Set.of(
            "ecr:GetAuthorizationToken *",
            "ecr:BatchCheckLayerAvailability repository/${image}",
            "ecr:BatchCheckLayerAvailability repository/${image}/*",
            "ecr:BatchGetImage repository/${image}",
            "ecr:BatchGetImage repository/${image}/*",
            "ecr:GetDownloadUrlForLayer repository/${image}",
            "ecr:GetDownloadUrlForLayer repository/${image}/*",
            "logs:CreateLogStream RunnerLog.Arn",
            "logs:PutLogEvents RunnerLog.Arn",
            "secretsmanager:GetSecretValue ModelSecret",
            "kms:Decrypt ModelSecretKey"),
        statements(policies.get(0).path("PolicyDocument")));
    JsonNode proxy = task.at("/ContainerDefinitions/0");
    JsonNode runner = task.at("/ContainerDefinitions/1");
    assertEquals("proxy", proxy.path("Name").asText());
    assertEquals("ModelSecret", proxy.at("/Secrets/1/0/ValueFrom").asText());
    assertEquals("runner", runner.path("Name").asText());
    assertFalse(runner.has("Secrets"));
    Set<String> variables = new TreeSet<>();
    runner.path("Environment").forEach(one -> variables.add(one.path("Name").asText()));
    assertEquals(Set.of("IDLE_SECONDS", "TASK_SECONDS"), variables);
  }

  @Test
  void nobodyComesIntoATaskAndOnlyTlsGoesOut() {
    JsonNode group = StackTemplate.properties("TaskSecurityGroup");
    assertFalse(group.has("SecurityGroupIngress"));
    assertEquals(1, group.path("SecurityGroupEgress").size());
    JsonNode out = group.at("/SecurityGroupEgress/0");
    assertEquals("443 443", out.path("FromPort").asText() + " " + out.path("ToPort").asText());
  }

  @Test
  void theSignerReadsArtifactsOnly() {
    JsonNode policies = StackTemplate.properties("Signer").path("Policies");
    assertEquals(1, policies.size());
    assertEquals(
        Set.of("s3:GetObject ${Bucket.Arn}/artifacts/*"),
        statements(policies.get(0).path("PolicyDocument")));
  }

  /// The API names its functions: a function that named the API would close a circle.
  @Test
  void noFunctionNamesTheApiItIsBehind() {
    StackTemplate.functions()
        .forEach((name, properties) ->
            properties
                .path("Environment")
                .path("Variables")
                .forEach(value -> assertFalse(value.asText().contains("Api"), name)));
  }

  /// The values of a statement's condition.
  private static List<String> condition(
      JsonNode properties, int statement, String comparison, String of) {
    return StackTemplate.texts(
        properties
            .at("/Policies/0/Statement/" + statement + "/Condition")
            .path("ForAllValues:" + comparison)
            .path("dynamodb:" + of));
  }

  /// The statements of functions that allow this action.
  private static List<JsonNode> allowing(String action) {
    return StackTemplate.functions().values().stream()
        .flatMap(function -> function.at("/Policies/0/Statement").valueStream())
        .filter(statement -> StackTemplate.texts(statement.path("Action")).contains(action))
        .toList();
  }

  private static Set<String> allowed(JsonNode properties) {
    Set<String> allowed = new TreeSet<>();
    properties.path("Policies").forEach(policy -> allowed.addAll(statements(policy)));
    return allowed;
  }

  /// The actions that are denied on the items of keys, secrets and webhooks; no others are denied.
  private static Set<String> denied(JsonNode properties) {
    Set<String> denied = new TreeSet<>();
    for (JsonNode policy : properties.path("Policies")) {
      for (JsonNode statement : policy.path("Statement")) {
        if (statement.path("Effect").asText().equals("Deny")) {
          JsonNode keys = statement.at("/Condition/ForAnyValue:StringLike/dynamodb:LeadingKeys");
          assertEquals(
              List.of("KEY#*", "W#*#KEYS", "W#*#SECRETS", "W#*#WEBHOOKS"),
              StackTemplate.texts(keys));
          statement
              .path("Action")
              .forEach(action ->
                  denied.add(action.asText() + " " + statement.path("Resource").asText()));
        }
      }
    }
    return denied;
  }

  private static Set<String> statements(JsonNode policy) {
    Set<String> statements = new TreeSet<>();
    for (JsonNode listed : policy.path("Statement")) {
      JsonNode statement = listed.isArray() ? listed.path(1) : listed; // the value of an `!If`
      if (statement.path("Effect").asText().equals("Deny")) {
        continue;
      }
      assertEquals("Allow", statement.path("Effect").asText());
      for (String action : StackTemplate.texts(statement.path("Action"))) {
        StackTemplate.texts(statement.path("Resource"))
            .forEach(resource ->
                statements.add(
                    action
                        + " "
                        + resource.replaceFirst(
                            "^arn:.*(?=execution:|parameter/|repository/|task/|task-definition/|/apikeys|/tags|/usageplans)",
                            "")));
      }
    }
    return statements;
  }
}
