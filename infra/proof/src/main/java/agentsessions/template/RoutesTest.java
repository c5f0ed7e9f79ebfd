package agentsessions.template;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.template.Template.Route;
import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static final Predicate<Route> ANY = route -> route.method().equals("ANY");
  private static final Predicate<Route> RUNNER = route -> route.path().startsWith("/runner/");

  @Test
  void theRoutesAreTheOperationsOfTheContractUnderTheirNames() {
    assertEquals(
        operations("infra/openapi.yaml", "/rest/v1"),
        events(ANY.or(RoutesTest::isOptions).or(RUNNER).or(RoutesTest::isFile).negate()));
  }

  @Test
  void theRunnersRoutesAreTheOperationsOfItsContract() {
    assertEquals(operations("infra/runner.yaml", "/runner/v1"), events(RUNNER));
  }

  @Test
  void theRoutesAreThoseOfTheControllers() {
    assertEquals(
        controllers(), lines(ANY.or(RoutesTest::isOptions).or(RoutesTest::isFile).negate()));
  }

  @Test
  void everyPathOfAClientAnswersAnyMethod() {
    Set<String> paths =
        Template.routes().stream()
            .filter(RUNNER.negate())
            .map(Route::path)
            .collect(toCollection(TreeSet::new));
    assertTrue(paths.containsAll(List.of("/", "/{proxy+}")));
    assertEquals(paths, paths(ANY));
  }

  @Test
  void everyPathOfAClientAnswersABrowserThatAsksFirst() {
    Set<String> any = paths(ANY);
    assertEquals(any, paths(RoutesTest::isOptions));
    assertTrue(Template.routes().stream().filter(RoutesTest::isOptions).noneMatch(Route::keyed));
  }

  @Test
  void everyFunctionOfTheApiPrimesRoutesOfItsOwn() {
    Template.functions()
        .forEach((name, function) -> {
          boolean answers = function.path("Handler").asText().endsWith(".ApiHandler");
          String prime = function.at("/Environment/Variables/PRIME").asText();
          assertEquals(answers, !prime.isEmpty(), name);
          List<String> own =
              Template.routes().stream()
                  .filter(route -> route.function().equals(name))
                  .map(Route::line)
                  .toList();
          assertTrue(prime.isEmpty() || own.containsAll(List.of(prime.split(", ", -1))), name);
        });
  }

  /// HEAD comes by ANY, and must find what GET finds.
  @Test
  void whoAnswersGetAnswersAny() {
    Map<String, String> get = functionsByPath(route -> route.method().equals("GET"));
    functionsByPath(ANY)
        .forEach((path, function) -> assertEquals(get.getOrDefault(path, "Messages"), function));
  }

  @Test
  void onlyHealthContractBeginningConsoleAndRunnerNeedNoKey() {
    Set<String> open =
        Template.routes().stream()
            .filter(route -> !route.keyed())
            .filter(RUNNER.or(RoutesTest::isOptions).negate())
            .map(Route::line)
            .collect(toCollection(TreeSet::new));
    assertEquals(
        Set.of(
            "ANY /",
            "GET /console",
            "GET /console/{file+}",
            "GET /rest/v1/health",
            "GET /rest/v1/openapi.yaml"),
        open);
    assertTrue(Template.routes().stream().filter(RUNNER).noneMatch(Route::keyed));
  }

  @Test
  void everyRouteNeedsTheScopeThatTheContractSays() {
    assertEquals(scopes("infra/openapi.yaml", "/rest/v1"), scopesOfControllers());
  }

  @Test
  void theMachinesNameTheFunctionsTheTemplateGivesThem() {
    assertEquals(2, functionsNamed("TurnMachine", "infra/turn.asl.yaml"));
    assertEquals(1, functionsNamed("ExportMachine", "infra/export.asl.yaml"));
  }

  private static int functionsNamed(String name, String file) {
    JsonNode given = Template.properties(name).path("DefinitionSubstitutions");
    String machine = Template.text(file);
    given.fieldNames().forEachRemaining(each -> assertTrue(machine.contains("${" + each + "}")));
    return machine.split("\\$\\{", -1).length - 1;
  }

  /// The names of a contract's operations, as events are named.
  private static Map<String, String> operations(String contract, String base) {
    Map<String, String> operations = new TreeMap<>();
    Template.read(contract)
        .path("paths")
        .properties()
        .forEach(path ->
            path.getValue()
                .properties()
                .forEach(method -> add(operations, base + path.getKey(), method)));
    return operations;
  }

  /// The operations of a contract that need a key, each with the scope it says.
  private static Set<String> scopes(String contract, String base) {
    Set<String> scopes = new TreeSet<>();
    Template.read(contract)
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

  private static void add(
      Map<String, String> operations, String path, Map.Entry<String, JsonNode> method) {
    String name = method.getValue().path("operationId").asText();
    boolean deployed = !method.getValue().path("x-one-machine").asBoolean();
    if (!name.isEmpty() && deployed) {
      operations.put(
          method.getKey().toUpperCase(Locale.ROOT) + " " + path,
          name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
    }
  }

  private static Map<String, String> events(Predicate<Route> which) {
    return Template.routes().stream()
        .filter(which)
        .collect(toMap(Route::line, Route::event, (one, _) -> one, TreeMap::new));
  }

  /// Of the console, which is no operation.
  private static boolean isFile(Route route) {
    return route.path().startsWith("/console");
  }

  private static boolean isOptions(Route route) {
    return route.method().equals("OPTIONS");
  }

  private static Map<String, String> functionsByPath(Predicate<Route> which) {
    return Template.routes().stream()
        .filter(which)
        .collect(toMap(Route::path, Route::function, (one, _) -> one));
  }

  private static Set<String> paths(Predicate<Route> which) {
    return Template.routes().stream()
        .filter(which)
        .map(Route::path)
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> lines(Predicate<Route> which) {
    return Template.routes().stream()
        .filter(which)
        .map(Route::line)
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> controllers() {
    return new TreeSet<>(routes(RoutesTest::route));
  }

  /// Those that want a scope, or say that any will do.
  private static Set<String> scopesOfControllers() {
    return new TreeSet<>(
        routes((controller, method) ->
            scope(method).stream()
                .flatMap(scope -> route(controller, method).map(route -> route + " " + scope))));
  }

  private static Optional<String> scope(ExecutableMethod<?, ?> method) {
    return method.hasAnnotation("agentsessions.api.AnyScope")
        ? Optional.of("any")
        : method
            .stringValue("agentsessions.api.NeedsScope")
            .map(scope -> scope.toLowerCase(Locale.ROOT));
  }

  /// As they are annotated: nothing is made, so nothing need be configured.
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
