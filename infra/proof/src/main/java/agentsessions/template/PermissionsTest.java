package agentsessions.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Each role's permissions, besides writing its own log. An emulator enforces none of them: whoever
/// gives a function a new call to AWS gives it here, too.
class PermissionsTest {
  private static final String TABLE = " Table.Arn";
  private static final String BUCKET = " Bucket.Arn";
  private static final String PARAMETERS = " parameter/agent-sessions/${AWS::StackName}/";
  private static final String DATA_KEY = PARAMETERS + "data-key";

  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "Authorizer",
          Set.of("dynamodb:GetItem" + TABLE),
          "Sessions",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:BatchGetItem" + TABLE,
              "dynamodb:Query" + TABLE,
              "dynamodb:PutItem" + TABLE,
              "dynamodb:UpdateItem" + TABLE,
              "dynamodb:DeleteItem" + TABLE,
              "states:StartExecution TurnMachine",
              "ssm:GetParameters" + DATA_KEY,
              "ssm:PutParameter" + DATA_KEY),
          "Messages",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:BatchGetItem" + TABLE,
              "dynamodb:Query" + TABLE,
              "s3:GetObject ${Bucket.Arn}/texts/*"),
          "Artifacts",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:BatchGetItem" + TABLE,
              "dynamodb:Query" + TABLE,
              "secretsmanager:GetSecretValue SigningSecret"),
          "Events",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:BatchGetItem" + TABLE,
              "dynamodb:Query" + TABLE,
              "s3:GetObject ${Bucket.Arn}/texts/*",
              "secretsmanager:GetSecretValue SigningSecret"),
          "TurnSteps",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:PutItem" + TABLE,
              "dynamodb:UpdateItem" + TABLE,
              "dynamodb:DeleteItem" + TABLE),
          "Runner",
          Set.of(),
          "RunnerApi",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:BatchGetItem" + TABLE,
              "dynamodb:PutItem" + TABLE,
              "dynamodb:UpdateItem" + TABLE,
              "dynamodb:DeleteItem" + TABLE,
              "s3:GetObject ${Bucket.Arn}/artifacts/*",
              "s3:PutObject ${Bucket.Arn}/artifacts/*",
              "s3:GetObject ${Bucket.Arn}/texts/*",
              "s3:PutObject ${Bucket.Arn}/texts/*",
              "s3:GetObject ${Bucket.Arn}/sandboxes/*",
              "s3:PutObject ${Bucket.Arn}/sandboxes/*",
              "s3:DeleteObject ${Bucket.Arn}/sandboxes/*",
              "s3:ListBucket" + BUCKET,
              "ssm:GetParameters" + PARAMETERS + "*"),
          "Sweep",
          Set.of(
              "dynamodb:GetItem" + TABLE,
              "dynamodb:Query" + TABLE,
              "dynamodb:PutItem" + TABLE,
              "dynamodb:UpdateItem" + TABLE,
              "dynamodb:DeleteItem" + TABLE,
              "dynamodb:BatchWriteItem" + TABLE,
              "dynamodb:Query ${Table.Arn}/index/live",
              "states:StartExecution TurnMachine",
              "states:StopExecution execution:${TurnMachine.Name}:*",
              "s3:ListBucket" + BUCKET,
              "s3:GetObject ${Bucket.Arn}/sandboxes/*",
              "s3:DeleteObject ${Bucket.Arn}/*"),
          "Rotation",
          Set.of(
              "iam:ListAccessKeys Signer.Arn",
              "iam:CreateAccessKey Signer.Arn",
              "iam:UpdateAccessKey Signer.Arn",
              "iam:DeleteAccessKey Signer.Arn",
              "secretsmanager:GetSecretValue SigningSecret",
              "secretsmanager:PutSecretValue SigningSecret",
              "s3:PutObject ${Bucket.Arn}/artifacts/probe"));

  @Test
  void noFunctionMayMoreThanIsListed() {
    Map<String, Set<String>> found = new TreeMap<>();
    Template.functions().forEach((name, properties) -> found.put(name, allowed(properties)));
    assertEquals(new TreeMap<>(ALLOWED), found);
  }

  /// What decides who may enter is written by the operator's own hands only.
  @Test
  void noFunctionMayWriteAKeyOfTheApi() {
    Template.functions()
        .forEach((name, properties) -> {
          Set<String> writes =
              new TreeSet<>(
                  allowed(properties).stream()
                      .filter(grant -> grant.matches("dynamodb:.*(Put|Update|Delete|Write).*"))
                      .toList());
          assertEquals(writes, denied(properties), name);
        });
  }

  @Test
  void theRunnerWritesItsOwnLogAndHoldsNothingOfOurs() {
    JsonNode runner = Template.properties("Runner");
    assertEquals("RunnerRole.Arn", runner.path("Role").asText());
    JsonNode policies = Template.properties("RunnerRole").path("Policies");
    assertEquals(1, policies.size());
    assertFalse(Template.properties("RunnerRole").has("ManagedPolicyArns"));
    assertEquals(
        Set.of("logs:CreateLogStream RunnerLog.Arn", "logs:PutLogEvents RunnerLog.Arn"),
        statements(policies.get(0).path("PolicyDocument")));
    Set<String> variables = new TreeSet<>();
    runner.path("Environment").path("Variables").fieldNames().forEachRemaining(variables::add);
    assertEquals(Set.of("ISOLATION", "LC_ALL"), variables);
  }

  @Test
  void theRunnerWithAgentsIsNoMore() {
    JsonNode withAgents = Template.read("infra/runner/template.yaml").path("Resources");
    assertEquals(Template.resources().path("RunnerRole"), withAgents.path("RunnerRole"));
    JsonNode runner = withAgents.path("Runner").path("Properties");
    for (String same :
        Set.of("Role", "MemorySize", "EphemeralStorage", "Timeout", "LoggingConfig")) {
      assertEquals(Template.properties("Runner").path(same), runner.path(same), same);
    }
    assertEquals("none", runner.at("/Environment/Variables/ISOLATION").asText());
    assertEquals(2, runner.at("/Environment/Variables").size());
  }

  @Test
  void theMachineInvokesItsTwoFunctionsOnly() {
    assertEquals(
        Set.of(
            "lambda:InvokeFunction TurnSteps.Alias",
            "lambda:InvokeFunction Runner.Alias",
            "lambda:InvokeFunction RunnerFunction"),
        allowed(Template.properties("TurnMachine")));
  }

  @Test
  void theSignerReadsArtifactsOnly() {
    JsonNode policies = Template.properties("Signer").path("Policies");
    assertEquals(1, policies.size());
    assertEquals(
        Set.of("s3:GetObject ${Bucket.Arn}/artifacts/*"),
        statements(policies.get(0).path("PolicyDocument")));
  }

  /// The API names its functions: one that named the API would close a circle.
  @Test
  void noFunctionNamesTheApiItIsBehind() {
    Template.functions()
        .forEach((name, properties) ->
            properties
                .path("Environment")
                .path("Variables")
                .forEach(value -> assertFalse(value.asText().contains("Api"), name)));
  }

  private static Set<String> allowed(JsonNode properties) {
    Set<String> allowed = new TreeSet<>();
    properties.path("Policies").forEach(policy -> allowed.addAll(statements(policy)));
    return allowed;
  }

  /// What is denied on the items of keys, which is all that is denied.
  private static Set<String> denied(JsonNode properties) {
    Set<String> denied = new TreeSet<>();
    for (JsonNode policy : properties.path("Policies")) {
      for (JsonNode statement : policy.path("Statement")) {
        if (statement.path("Effect").asText().equals("Deny")) {
          JsonNode keys = statement.at("/Condition/ForAnyValue:StringLike/dynamodb:LeadingKeys");
          assertEquals(List.of("KEY#*", "W#*#KEYS", "W#*#SECRETS"), Template.texts(keys));
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
    for (JsonNode statement : policy.path("Statement")) {
      if (statement.path("Effect").asText().equals("Deny")) {
        continue;
      }
      assertEquals("Allow", statement.path("Effect").asText());
      for (String action : Template.texts(statement.path("Action"))) {
        Template.texts(statement.path("Resource"))
            .forEach(resource ->
                statements.add(
                    action + " " + resource.replaceFirst("^arn:.*(?=execution:|parameter/)", "")));
      }
    }
    return statements;
  }
}
