package agentsessions.template;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.SamTemplate;
import agentsessions.local.machine.SamTemplate.Route;
import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The routes of `template.yaml`: they are the operations of the contracts and of the controllers,
/// each with its function, scope and preflight.
class RoutesTest {
  private static final Set<String> CLIENTS = operations("infra/openapi.yaml", "/rest/v1");
  private static final Set<String> RUNNERS = operations("infra/runner.yaml", "/runner/v1");

  @Test
  void thePathsAreThoseOfTheContract() {
    assertEquals(
        CLIENTS.stream().map(RoutesTest::path).collect(toCollection(TreeSet::new)),
        paths(route -> !isRunners(route) && !isNoOperation(route)));
    assertTrue(
        CLIENTS.containsAll(lines(route -> standsApart(route) && !isNoOperation(route))),
        "a method stands apart only if it is an operation");
  }

  @Test
  void theRunnersRoutesAreTheOperationsOfItsContract() {
    assertEquals(RUNNERS, lines(RoutesTest::isRunners));
  }

  @Test
  void theOperationsAreThoseOfTheControllers() {
    Set<String> operations = new TreeSet<>(CLIENTS);
    operations.addAll(RUNNERS);
    assertEquals(controllers(), operations);
  }

  /// So that an unknown method is answered with 405, and HEAD works wherever GET does.
  @Test
  void everyPathOfAClientAnswersAnyMethodAndABrowserThatAsksFirst() {
    assertEquals(paths(Predicate.not(RoutesTest::isRunners)), paths(RoutesTest::isAny));
    assertEquals(paths(Predicate.not(RoutesTest::isRunners)), paths(RoutesTest::isPreflight));
    assertTrue(paths(RoutesTest::isAny).containsAll(List.of("/", "/{proxy+}")));
    assertTrue(
        SamTemplate.routes()
            .filter(RoutesTest::isPreflight)
            .allMatch(route -> !route.keyed() && route.function().isEmpty()));
  }

  /// A path has one route for ANY; others stand beside it only if another function answers them, or
  /// they need no key.
  @Test
  void whatIsAsAnyOtherMethodDoesNotStandBesideIt() {
    Map<String, Route> any =
        SamTemplate.routes().filter(RoutesTest::isAny).collect(toMap(Route::path, route -> route));
    SamTemplate.routes()
        .filter(RoutesTest::standsApart)
        .forEach(route -> {
          Route other = Objects.requireNonNull(any.get(route.path()));
          assertTrue(
              !route.function().equals(other.function()) || route.keyed() != other.keyed(),
              route::toString);
        });
  }

  @Test
  void everyRouteIsOfAFunctionThatTheGatewayMayCall() {
    Set<String> called =
        StackTemplate.ofType("AWS::Lambda::Permission").values().stream()
            .filter(allowed -> allowed.path("SourceArn").asText().endsWith(":${Api}/*"))
            .map(allowed -> allowed.path("FunctionName").asText().replace(".Alias", ""))
            .collect(toCollection(TreeSet::new));
    assertEquals(
        SamTemplate.routes()
            .filter(Predicate.not(RoutesTest::isPreflight))
            .map(Route::function)
            .collect(toCollection(TreeSet::new)),
        called);
  }

  @Test
  void whatCanWriteNothingAnswersNoOperationThatWrites() {
    for (String operation : CLIENTS) {
      assertTrue(
          operation.startsWith("GET ") || !function(operation).equals("Messages"), operation);
    }
  }

  @Test
  void everyFunctionOfTheApiPrimesRoutesOfItsOwn() {
    StackTemplate.functions()
        .forEach((name, function) -> {
          boolean answers = function.path("Handler").asText().endsWith(".ApiHandler");
          String prime = function.at("/Environment/Variables/PRIME").asText();
          assertEquals(answers, !prime.isEmpty(), name);
          for (String route : prime.isEmpty() ? new String[0] : prime.split(", ", -1)) {
            assertTrue(CLIENTS.contains(route) || RUNNERS.contains(route), route);
            assertEquals(name, function(route), route);
          }
        });
  }

  @Test
  void onlyHealthContractBeginningConsoleAndRunnerNeedNoKey() {
    assertEquals(
        Set.of(
            "ANY /",
            "GET /console",
            "GET /console/{file+}",
            "GET /rest/v1/health",
            "GET /rest/v1/openapi.yaml"),
        lines(route -> !isRunners(route) && !isPreflight(route) && !route.keyed()));
    assertTrue(SamTemplate.routes().filter(RoutesTest::isRunners).noneMatch(Route::keyed));
  }

  /// The gateway refuses an API that maps a header which the method does not declare.
  @Test
  void aPreflightDeclaresTheHeadersItAnswersWith() {
    JsonNode preflight = SamTemplate.api().path("paths").path("/").path("options");
    Set<String> declared = new TreeSet<>();
    preflight.at("/responses/204/headers").fieldNames().forEachRemaining(declared::add);
    JsonNode mapped =
        preflight.at("/x-amazon-apigateway-integration/responses/default/responseParameters");
    Set<String> given = new TreeSet<>();
    mapped.path(1).fieldNames().forEachRemaining(given::add);
    mapped.path(2).fieldNames().forEachRemaining(name -> assertTrue(given.contains(name), name));
    assertEquals(
        declared.stream()
            .map("method.response.header."::concat)
            .collect(toCollection(TreeSet::new)),
        given);
  }

  @Test
  void everyRouteNeedsTheScopeThatTheContractSays() {
    assertEquals(scopes("infra/openapi.yaml", "/rest/v1"), scopesOfControllers());
  }

  @Test
  void theMachinesNameTheFunctionsAndThePartitionTheTemplateGivesThem() {
    assertEquals(4, namesIn("TurnMachine", "infra/turn.asl.yaml"));
    assertEquals(2, namesIn("ExportMachine", "infra/export.asl.yaml"));
  }

  private static int namesIn(String name, String file) {
    JsonNode given = StackTemplate.properties(name).path("DefinitionSubstitutions");
    String machine = StackTemplate.text(file);
    given.fieldNames().forEachRemaining(each -> assertTrue(machine.contains("${" + each + "}")));
    return machine.split("\\$\\{", -1).length - 1;
  }

  /// The operations of a contract that are deployed, as `METHOD /path`.
  private static Set<String> operations(String contract, String base) {
    Set<String> operations = new TreeSet<>();
    StackTemplate.read(contract)
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(method -> method.getValue().has("operationId"))
                .filter(method -> !method.getValue().path("x-one-machine").asBoolean())
                .map(
                    method -> method.getKey().toUpperCase(Locale.ROOT) + " " + base + path.getKey())
                .forEach(operations::add));
    return operations;
  }

  /// The operations of a contract that need a key, each with the scope it says.
  private static Set<String> scopes(String contract, String base) {
    Set<String> scopes = new TreeSet<>();
    StackTemplate.read(contract)
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue().properties().stream()
                .filter(method -> method.getValue().has("x-scope"))
                .map(method ->
                    "%s %s%s %s"
                        .formatted(
                            method.getKey().toUpperCase(Locale.ROOT),
                            base,
                            path.getKey(),
                            method.getValue().path("x-scope").asText()))
                .forEach(scopes::add));
    return scopes;
  }

  private static boolean isAny(Route route) {
    return route.method().equals("ANY");
  }

  private static boolean isRunners(Route route) {
    return route.path().startsWith("/runner/");
  }

  /// A route of clients beside the ANY route of its path.
  private static boolean standsApart(Route route) {
    return !isRunners(route) && !isAny(route) && !isPreflight(route);
  }

  private static boolean isPreflight(Route route) {
    return route.method().equals("OPTIONS");
  }

  /// The routes of the console, and of paths that do not exist.
  private static boolean isNoOperation(Route route) {
    return route.path().matches("/|/console.*|/\\{proxy\\+}");
  }

  private static String path(String operation) {
    return operation.substring(operation.indexOf(' ') + 1);
  }

  /// The function that answers an operation.
  private static String function(String operation) {
    return SamTemplate.routes()
        .filter(route -> route.path().equals(path(operation)))
        .filter(route -> isAny(route) || line(route).equals(operation))
        .min(Comparator.comparing(RoutesTest::isAny))
        .orElseThrow(() -> new AssertionError(operation))
        .function();
  }

  private static String line(Route route) {
    return route.method() + " " + route.path();
  }

  private static Set<String> paths(Predicate<Route> which) {
    return SamTemplate.routes().filter(which).map(Route::path).collect(toCollection(TreeSet::new));
  }

  private static Set<String> lines(Predicate<Route> which) {
    return SamTemplate.routes()
        .filter(which)
        .map(RoutesTest::line)
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> controllers() {
    return new TreeSet<>(routes(RoutesTest::route));
  }

  /// The operations of controllers with the scope that each demands, or `any`.
  private static Set<String> scopesOfControllers() {
    return new TreeSet<>(
        routes((controller, method) ->
            scope(method).stream()
                .flatMap(scope -> route(controller, method).map(route -> route + " " + scope))));
  }

  private static Optional<String> scope(ExecutableMethod<?, ?> method) {
    return method.hasAnnotation("agentsessions.api.request.AnyScope")
        ? Optional.of("any")
        : method
            .stringValue("agentsessions.api.request.NeedsScope")
            .map(scope -> scope.toLowerCase(Locale.ROOT));
  }

  /// Read from the annotations: no controller is created, so nothing needs to be configured.
  private static List<String> routes(
      BiFunction<BeanDefinition<?>, ExecutableMethod<?, ?>, Stream<String>> of) {
    try (ApplicationContext service = ApplicationContext.builder().banner(false).build()) {
      service.start();
      return service.getBeanDefinitions(Qualifiers.byStereotype(Controller.class)).stream()
          .filter(controller -> controller.getName().startsWith("agentsessions."))
          .flatMap(controller ->
              controller.getExecutableMethods().stream()
                  .flatMap(method -> of.apply(controller, method)))
          .toList();
    }
  }

  private static Stream<String> route(BeanDefinition<?> controller, ExecutableMethod<?, ?> method) {
    String base = controller.stringValue(Controller.class).orElse("");
    return method
        .getAnnotationTypeByStereotype(HttpMethodMapping.class)
        .map(verb -> {
          String path = method.stringValue(HttpMethodMapping.class).orElse("/");
          return verb.getSimpleName().toUpperCase(Locale.ROOT)
              + " "
              + base
              + (path.equals("/") ? "" : path);
        })
        .stream();
  }
}
