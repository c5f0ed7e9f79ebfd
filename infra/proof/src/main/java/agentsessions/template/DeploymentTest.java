package agentsessions.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.ApiKey;
import agentsessions.local.machine.SamTemplate;
import agentsessions.local.machine.SamTemplate.Route;
import agentsessions.table.Layout;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of a deployment in `template.yaml` beside routes, permissions and throttles: gateway
/// responses, alarms, logs, costs, time-outs, and the life of the data.
class DeploymentTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HEADER = "gatewayresponse.header.";
  private static final Pattern LINE = Pattern.compile("formattedMessage = \"([a-z_.]+)\"");

  /// The resource types that cost by use alone or nothing, and alarms at some cents: none costs by
  /// the hour.
  private static final Set<String> KINDS =
      Set.of(
          "AWS::EC2::InternetGateway",
          "AWS::EC2::Route",
          "AWS::EC2::RouteTable",
          "AWS::EC2::SecurityGroup",
          "AWS::EC2::Subnet",
          "AWS::EC2::SubnetRouteTableAssociation",
          "AWS::EC2::VPC",
          "AWS::EC2::VPCEndpoint",
          "AWS::EC2::VPCGatewayAttachment",
          "AWS::ECS::Cluster",
          "AWS::ECS::TaskDefinition",
          "AWS::Serverless::Api",
          "AWS::ApiGateway::Account",
          "AWS::Serverless::Function",
          "AWS::Lambda::Permission",
          "AWS::Serverless::StateMachine",
          "AWS::ApiGateway::UsagePlan",
          "AWS::DynamoDB::Table",
          "AWS::S3::Bucket",
          "AWS::S3::BucketPolicy",
          "AWS::IAM::Policy",
          "AWS::IAM::Role",
          "AWS::IAM::User",
          "AWS::IAM::AccessKey",
          "AWS::SecretsManager::Secret",
          "AWS::SSM::Parameter",
          "AWS::Logs::LogGroup",
          "AWS::Logs::MetricFilter",
          "AWS::CloudWatch::Alarm",
          "AWS::CloudWatch::Dashboard",
          "AWS::SNS::Topic",
          "AWS::SNS::Subscription");

  @Test
  void everyGatewayResponseHasTheErrorShape() throws IOException {
    Set<String> codes = new TreeSet<>();
    responses().properties().forEach(response -> codes.add(code(response)));
    assertEquals(
        Set.of(
            "BAD_REQUEST",
            "NOT_FOUND",
            "RATE_LIMITED",
            "TOO_LARGE",
            "UNAUTHORIZED",
            "UNAVAILABLE",
            "UNSUPPORTED_MEDIA_TYPE"),
        codes);
  }

  @Test
  void theUsagePlanAllowsAHundredAMinute() {
    JsonNode throttle = StackTemplate.properties("UsagePlan").path("Throttle");
    assertEquals(100, throttle.path("BurstLimit").asInt());
    assertEquals(100, throttle.path("RateLimit").asDouble() * 60, 0.01);
  }

  @Test
  void whatNeedsNoKeyIsThrottledByName() {
    Set<String> throttled = new TreeSet<>();
    for (JsonNode method : StackTemplate.properties("Api").path("MethodSettings")) {
      assertTrue(method.path("ThrottlingRateLimit").asInt() > 0, method.toString());
      assertTrue(method.path("ThrottlingBurstLimit").asInt() > 0, method.toString());
      String path = method.path("ResourcePath").asText();
      assertFalse(path.substring(1).contains("/"), path + ": written as ~1");
      throttled.add(
          method.path("HttpMethod").asText()
              + " "
              + (path.equals("/") ? path : path.substring(1).replace("~1", "/")));
    }
    List<Route> routes = SamTemplate.routes().filter(route -> !route.function().isEmpty()).toList();
    Set<String> all = new TreeSet<>(Set.of("* *"));
    routes.forEach(route -> all.add(route.method() + " " + route.path()));
    assertTrue(all.containsAll(throttled), "a method that is not there");
    routes.stream()
        .filter(route -> !route.keyed())
        .map(route -> route.method() + " " + route.path())
        .forEach(open -> assertTrue(throttled.contains(open), open));
  }

  @Test
  void everyKeyThatThereCanBePassesTheGatewaysLookAtItsForm() {
    String form = authorizer().path("identityValidationExpression").asText();
    for (int i = 0; i < 100; i++) {
      assertTrue(("ApiKey " + ApiKey.create().text()).matches(form), form);
    }
    assertTrue(("apikey  " + ApiKey.create().text()).matches(form), "as the authorizer reads it");
    assertFalse("ApiKey wrong".matches(form), form);
  }

  @Test
  void aShareOfTheAccountIsBoundedOnlyWhereTheAccountAllowsIt() {
    Map.of(
            "Runner", "BoundsRunner RunnerConcurrency",
            "TenantRunner", "BoundsTenantRunner RunnerConcurrency",
            "RunnerApi", "HasRunnerApiConcurrency RunnerApiConcurrency",
            "Events", "HasEventConcurrency EventConcurrency")
        .forEach((function, bound) -> {
          JsonNode share = StackTemplate.properties(function).path("ReservedConcurrentExecutions");
          assertEquals(bound, share.path(0).asText() + " " + share.path(1).asText());
          String parameter = share.path(1).asText();
          assertEquals(0, StackTemplate.parameter(parameter).path("Default").asInt(-1));
        });
  }

  @Test
  void theAccessLogHoldsNoHeaderQueryOrBody() {
    String log = StackTemplate.properties("Api").at("/AccessLogSetting/1/Format").asText();
    assertTrue(log.contains("$context.error.responseType"), log);
    assertFalse(log.matches("(?i).*(header|query|body|authorization|apiKey\\b).*"), log);
  }

  @Test
  void aFreshStackIsQuiet() {
    StackTemplate.ofType("AWS::CloudWatch::Alarm")
        .forEach((name, alarm) -> {
          String missing = alarm.path("TreatMissingData").asText();
          assertTrue(Set.of("missing", "notBreaching").contains(missing), name);
          assertEquals(missing.equals("missing"), alarm.has("InsufficientDataActions"), name);
        });
  }

  @Test
  void everyLineThatAlarmsCountIsOneThatTheServiceLogs() throws IOException {
    Set<String> counted = new TreeSet<>();
    StackTemplate.ofType("AWS::Logs::MetricFilter")
        .forEach((name, filter) -> {
          Matcher line = LINE.matcher(filter.path("FilterPattern").asText());
          while (line.find()) {
            counted.add(line.group(1));
          }
        });
    assertEquals(
        Set.of(
            "aws.not_allowed",
            "export.failed",
            "object.not_removed",
            "sandbox.not_saved",
            "sweep.failed",
            "turn.closed_by_sweep",
            "turn.given_up",
            "turn.launch_mistaken",
            "turn.runner_failed",
            "turn.started_in_vain"),
        counted);
    for (String line : counted) {
      assertTrue(isLogged(line), line);
    }
  }

  @Test
  void aPostThatTheGatewayGaveUpIsNotToBeSentBlindly() {
    for (String name : List.of("INTEGRATION_TIMEOUT", "INTEGRATION_FAILURE", "DEFAULT_5XX")) {
      String message = body(responses().path(name)).path("message").asText();
      assertTrue(message.contains("Idempotency-Key or look first"), message);
    }
  }

  @Test
  void whatIsOfferedByDefaultCanRun() {
    assertEquals(
        StackTemplate.parameter("Agents").path("Default"),
        StackTemplate.parameter("TrustedAgents").path("Default"));
  }

  /// A method needs both the client's key, for the authorizer, and the key that the authorizer
  /// names for the usage plan, or neither.
  @Test
  void everyMethodWantsAKeyThatTheAuthorizerNames() {
    assertEquals("AUTHORIZER", StackTemplate.properties("Api").path("ApiKeySourceType").asText());
    assertEquals(45, authorizer().path("authorizerResultTtlInSeconds").asInt());
    for (JsonNode security : SamTemplate.api().path("paths").findValues("security")) {
      assertTrue(
          Set.of("[]", "[{\"Key\":[]},{\"api_key\":[]}]").contains(security.toString()),
          security::toString);
    }
  }

  @Test
  void everyFunctionIsPackedAndPublished() throws ClassNotFoundException {
    for (Map.Entry<String, JsonNode> function : StackTemplate.functions().entrySet()) {
      JsonNode properties = function.getValue();
      assertTrue(properties.path("CodeUri").asText().endsWith(".zip"), function.getKey());
      assertEquals("Release", properties.path("AutoPublishCodeSha256").asText());
      String handler = properties.path("Handler").asText();
      if (!handler.startsWith("agentsessions.r")) {
        assertTrue(RequestStreamHandler.class.isAssignableFrom(Class.forName(handler)), handler);
      }
    }
    assertEquals(15, StackTemplate.functions().size());
  }

  /// Where a snapshot is taken Lambda compiles in tiers, which costs a function of short requests
  /// more than it ever earns (decision 048).
  @Test
  void shortRequestsAreCompiledOnce() {
    StackTemplate.functions()
        .forEach((name, properties) -> {
          boolean quick =
              properties.has("SnapStart")
                  && !properties.path("Handler").asText().endsWith("ExportHandler");
          assertEquals(
              quick ? "-XX:TieredStopAtLevel=1" : "",
              properties.at("/Environment/Variables/JAVA_TOOL_OPTIONS").asText(),
              name);
        });
  }

  @Test
  void nothingCostsByTheHour() {
    StackTemplate.resources()
        .forEach(resource -> assertTrue(KINDS.contains(resource.path("Type").asText())));
    assertEquals("PAY_PER_REQUEST", StackTemplate.properties("Table").path("BillingMode").asText());
    StackTemplate.functions()
        .forEach(
            (name, function) -> assertFalse(function.has("ProvisionedConcurrencyConfig"), name));
    assertEquals(
        "Gateway", StackTemplate.properties("TaskStorage").path("VpcEndpointType").asText());
  }

  /// ECS refuses an invalid pair of processor and memory only when a task is to start.
  @Test
  void everySizeOfATaskSaysWhichMemoryFargateHasForIt() {
    JsonNode rules = StackTemplate.read("template.yaml").path("Rules");
    for (JsonNode cpu : StackTemplate.parameter("TaskCpu").path("AllowedValues")) {
      JsonNode rule = rules.path("TaskMemoryFitsCpu" + cpu.asText());
      assertEquals(cpu.asText(), rule.at("/RuleCondition/1").asText());
      List<String> sizes = StackTemplate.texts(rule.at("/Assertions/0/Assert/0"));
      // The least memory is two gigabytes for each core, and one for half a core.
      int smallest = cpu.asInt() == 512 ? 1024 : Math.max(2048, cpu.asInt() * 2);
      assertEquals(smallest, Integer.parseInt(sizes.getFirst()), cpu.asText());
      assertTrue(Integer.parseInt(sizes.getLast()) <= 122_880);
    }
    assertTrue(
        StackTemplate.texts(rules.at("/TaskMemoryFitsCpu1024/Assertions/0/Assert/0"))
            .contains(StackTemplate.parameter("TaskMemory").path("Default").asText()));
  }

  /// Tenancy cannot be changed on an existing function, and excludes SnapStart.
  @Test
  void theRunnerWithTenantsIsTheSameButForThem() {
    ObjectNode tenants = StackTemplate.properties("TenantRunner").deepCopy();
    assertEquals(
        "PER_TENANT", tenants.remove("TenancyConfig").path("TenantIsolationMode").asText());
    ObjectNode runner = StackTemplate.properties("Runner").deepCopy();
    runner.remove("ReservedConcurrentExecutions");
    tenants.remove("ReservedConcurrentExecutions");
    assertEquals(runner, tenants);
    assertFalse(tenants.has("SnapStart"));
    JsonNode all = StackTemplate.read("template.yaml").at("/Globals/Function");
    assertFalse(all.has("SnapStart"), "a function could not be without it");
  }

  @Test
  void dataOutlivesTheStack() {
    for (String data : Set.of("Table", "Bucket")) {
      JsonNode resource = StackTemplate.resources().path(data);
      assertEquals("Retain", resource.path("DeletionPolicy").asText());
      assertEquals("Retain", resource.path("UpdateReplacePolicy").asText());
    }
    JsonNode table = StackTemplate.properties("Table");
    assertTrue(table.path("DeletionProtectionEnabled").asBoolean());
    assertTrue(
        table
            .path("PointInTimeRecoverySpecification")
            .path("PointInTimeRecoveryEnabled")
            .asBoolean());
    assertEquals(
        "expires_at", table.path("TimeToLiveSpecification").path("AttributeName").asText());
    List<JsonNode> byAge = new ArrayList<>();
    for (JsonNode rule : StackTemplate.properties("Bucket").at("/LifecycleConfiguration/Rules")) {
      if (rule.has("ExpirationInDays")) {
        byAge.add(rule);
      }
    }
    assertEquals(1, byAge.size());
    assertEquals("uploads/", byAge.getFirst().path("Prefix").asText());
    assertEquals(2, byAge.getFirst().path("ExpirationInDays").asInt());
  }

  /// Without it a deployment over data of another format would not be refused.
  @Test
  void theStackSaysTheFormatOfItsData() {
    assertEquals(
        Integer.toString(Layout.FORMAT),
        StackTemplate.read("template.yaml").at("/Outputs/DataFormat/Value").asText());
  }

  @Test
  void linksEndAfterSixDaysWhoeverSignsThem() {
    JsonNode statements =
        StackTemplate.properties("BucketPolicy").path("PolicyDocument").path("Statement");
    JsonNode sixDays = statements.get(1);
    assertEquals("Deny", sixDays.path("Effect").asText());
    assertEquals("Signer.Arn", sixDays.path("Principal").path("AWS").asText());
    assertEquals(
        6L * 24 * 3600 * 1000,
        sixDays.path("Condition").path("NumericGreaterThan").path("s3:signatureAge").asLong());
    assertEquals("TlsOnly", statements.get(0).path("Sid").asText());
  }

  @Test
  void everyAlarmSaysWhatToDoAndWhomItTells() {
    StackTemplate.ofType("AWS::CloudWatch::Alarm")
        .forEach((name, alarm) -> {
          assertTrue(alarm.path("AlarmDescription").asText().length() > 60, name);
          assertEquals("Alarms", alarm.path("AlarmActions").path(0).asText(), name);
        });
  }

  @Test
  void aTurnEndsAMinuteBeforeItsRunner() {
    int runner = StackTemplate.properties("Runner").path("Timeout").asInt();
    JsonNode service = StackTemplate.properties("RunnerApi").path("Environment").path("Variables");
    assertEquals(runner - 60, service.path("MAX_TURN_SECONDS").asInt());
    int machine =
        StackTemplate.read("infra/turn.asl.yaml")
            .path("States")
            .path("Run")
            .path("TimeoutSeconds")
            .asInt();
    assertTrue(machine > runner);
  }

  /// LocalStack ends an execution whose state catches an error and goes on with itself.
  @Test
  void noStateGoesOnWithItself() {
    JsonNode states = StackTemplate.read("infra/turn.asl.yaml").path("States");
    states
        .properties()
        .forEach(state ->
            assertFalse(
                state.getValue().findValuesAsText("Next").contains(state.getKey()),
                state.getKey()));
  }

  /// A dropped launch is repeated by the sweep with a ticket of its own, and the steps function is
  /// notified of the drop.
  @Test
  void aRunnerIsStartedOnceByALaunch() {
    JsonNode launches = StackTemplate.properties("Runner").path("EventInvokeConfig");
    assertEquals(0, launches.path("MaximumRetryAttempts").asInt(-1));
    assertEquals(60, launches.path("MaximumEventAgeInSeconds").asInt());
    assertEquals("Dropped", launches.at("/DestinationConfig/OnFailure/Destination").asText());
    assertEquals(
        "Dropped",
        StackTemplate.properties("TurnSteps").at("/Events/Dropped/Properties/Topic").asText());
  }

  /// Otherwise an export would be started again while it is being built.
  @Test
  void anExportIsWaitedForAsLongAsItsFunctionMayTake() {
    JsonNode machine = StackTemplate.read("infra/export.asl.yaml");
    int task = machine.at("/States/Build/TimeoutSeconds").asInt();
    assertTrue(task > StackTemplate.properties("Export").path("Timeout").asInt());
    assertTrue(machine.path("TimeoutSeconds").asInt() >= task + 60);
  }

  private static JsonNode responses() {
    return SamTemplate.api().path("x-amazon-apigateway-gateway-responses");
  }

  private static JsonNode authorizer() {
    return SamTemplate.api().at("/components/securitySchemes/Key/x-amazon-apigateway-authorizer");
  }

  private static boolean isLogged(String line) throws IOException {
    try (Stream<Path> sources = Files.walk(StackTemplate.path("functions/service/src/main/java"))) {
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        if (Files.readString(source).contains('"' + line + '"')) {
          return true;
        }
      }
      return false;
    }
  }

  private static String code(Map.Entry<String, JsonNode> response) {
    String name = response.getKey();
    JsonNode headers = response.getValue().path("responseParameters");
    assertEquals("context.requestId", headers.path(HEADER + "X-Request-Id").asText(), name);
    assertEquals("'no-store'", headers.path(HEADER + "Cache-Control").asText(), name);
    assertTrue(
        headers.path(HEADER + "Access-Control-Allow-Origin").toString().contains("CorsOrigin"),
        name);
    assertTrue(
        headers.path(HEADER + "Access-Control-Expose-Headers").asText().contains("Retry-After"),
        name);
    int status = response.getValue().path("statusCode").asInt();
    assertEquals(status == 429 || status == 503, headers.has(HEADER + "Retry-After"), name);
    assertEquals(status == 401, headers.has(HEADER + "WWW-Authenticate"), name);
    return body(response.getValue()).path("code").asText();
  }

  private static JsonNode body(JsonNode response) {
    String template = response.path("responseTemplates").path("application/json").asText();
    try {
      JsonNode body = JSON.readTree(template);
      assertEquals(
          Set.of("code", "message", "request_id"),
          body.properties().stream()
              .map(Map.Entry::getKey)
              .collect(java.util.stream.Collectors.toSet()));
      assertEquals("$context.requestId", body.path("request_id").asText());
      return body;
    } catch (IOException malformed) {
      throw new AssertionError(template, malformed);
    }
  }
}
