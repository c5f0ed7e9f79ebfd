package agentsessions.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryTable;
import agentsessions.store.artifact.UploadsTest;
import agentsessions.store.export.ExportsTest;
import agentsessions.store.session.SessionChangesTest;
import agentsessions.store.webhook.Announcer;
import agentsessions.store.webhook.WebhookRacesTest;
import agentsessions.store.workspace.SecretsTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Tests of the tests: each clause of a condition of this room taken away, one of its tests fails.
/// A clause has the name of the method that writes; the conditions of turns are GuardsTest's.
class StoreGuardsTest {
  /// The tests of what writes.
  private static final Map<String, Class<?>> TESTS =
      Map.of(
          "Deliveries", WebhookRacesTest.class,
          "Exports", ExportsTest.class,
          "Secrets", SecretsTest.class,
          "SessionChangesTest", SessionChangesTest.class,
          "Sessions", SessionChangesTest.class,
          "Uploads", UploadsTest.class,
          "WebhookLeases", WebhookRacesTest.class,
          "Webhooks", WebhookRacesTest.class);

  /// The clauses whose absence shows.
  private static final Set<String> NEEDED =
      Set.of(
          "Deliveries.again #created > :oldest",
          "Deliveries.attempted #status = :pending",
          "Deliveries.attempted ( attribute_not_exists ( #tries ) OR #tries = :tries )",
          "Deliveries.put attribute_not_exists ( #PK )",
          "Deliveries.spread #status = :pending",
          "Exports.again #attempt = :attempt",
          "Exports.ask attribute_not_exists ( #PK )",
          "Exports.ended #attempt = :attempt",
          "Exports.ended #lease_until > :now",
          "Exports.renew #attempt = :attempt",
          "Exports.renew #lease_until > :now",
          "Secrets.added ( attribute_not_exists ( #revision ) OR #revision = :seen )",
          "Secrets.delete #parameter = :in_force",
          "Secrets.replaced #parameter = :in_force",
          // Of the caller's key, which CallersKeyTest has the rest of.
          "Secrets.added attribute_exists ( #PK )",
          "Secrets.delete attribute_exists ( #PK )",
          "Secrets.replaced attribute_exists ( #PK )",
          // The inputs of a session are written with its follow-up, in another room.
          "SessionChangesTest.aCredentialOfASessionThatIsGoneIsNotKept attribute_exists ( #PK )",
          "Sessions.write #updated <= :stamp",
          "Sessions.write attribute_not_exists ( #deleted )",
          "Uploads.announce ( attribute_not_exists ( #revision ) OR #revision = :seen )",
          "Uploads.lookedAt attribute_exists ( #PK )",
          "WebhookLeases.disable #holder = :holder",
          "WebhookLeases.drop #holder = :holder",
          "WebhookLeases.failed #enabled = :yes",
          "WebhookLeases.failed #holder = :holder",
          "WebhookLeases.release #enabled = :yes",
          "WebhookLeases.release #holder = :holder",
          "WebhookLeases.release #woken = :woken",
          "WebhookLeases.release attribute_not_exists ( #woken )",
          "WebhookLeases.renew #holder = :holder",
          "WebhookLeases.spread #holder = :holder",
          "WebhookLeases.succeeded #holder = :holder",
          "WebhookLeases.take #enabled = :yes",
          "WebhookLeases.take ( attribute_not_exists ( #lease_until ) OR #lease_until < :now )",
          "WebhookLeases.wake #enabled = :yes",
          "WebhookLeases.wake attribute_not_exists ( #failing_since )",
          "WebhookLeases.wakeAnyhow #enabled = :yes",
          "Webhooks.change attribute_exists ( #PK )",
          "Webhooks.create ( attribute_not_exists ( #revision ) OR #revision = :seen )",
          "Webhooks.delete ( attribute_not_exists ( #revision ) OR #revision = :seen )",
          "Webhooks.rotate ( attribute_not_exists ( #rotations ) OR #rotations = :seen )",
          "Webhooks.rotate attribute_exists ( #PK )");

  /// Clauses whose absence shows nowhere, each with the reason.
  private static final Set<String> UNNEEDED =
      Set.of(
          // What is written has a random id.
          "Uploads.announce attribute_not_exists ( #PK )",
          "Webhooks.create attribute_not_exists ( #PK )",
          // The register says it already.
          "Secrets.added attribute_not_exists ( #PK )",
          // What is not there has no time to compare.
          "Deliveries.again attribute_exists ( #PK )",
          "Sessions.write attribute_exists ( #PK )",
          // The lease goes with the end.
          "Exports.ended #status = :working",
          "Exports.renew #status = :working");

  @ParameterizedTest
  @MethodSource("needed")
  void isMissedWhenItIsTakenAway(String clause) {
    Class<?> tests = Objects.requireNonNull(TESTS.get(clause.substring(0, clause.indexOf('.'))));
    TestExecutionSummary summary =
        run(Set.of(tests), guarded -> name(guarded).equals(Optional.of(clause)));
    assertTrue(summary.getTestsFailedCount() > 0, () -> "nothing goes wrong without " + clause);
  }

  @Test
  void eachClauseIsKnownHere() {
    Set<String> met = new TreeSet<>();
    Predicate<InMemoryTable.Guarded> listening =
        guarded -> {
          name(guarded).ifPresent(met::add);
          return false;
        };
    TestExecutionSummary summary = run(Set.copyOf(TESTS.values()), listening);
    assertEquals(List.of(), summary.getFailures().stream().map(Object::toString).toList());
    Set<String> known = new TreeSet<>(NEEDED);
    known.addAll(UNNEEDED);
    assertEquals(String.join("\n", known), String.join("\n", met));
  }

  static Stream<String> needed() {
    return NEEDED.stream().sorted();
  }

  /// Runs them in this thread, so that no other test meets such a table.
  private static TestExecutionSummary run(
      Set<Class<?>> tests, Predicate<InMemoryTable.Guarded> ignored) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(tests.stream().map(DiscoverySelectors::selectClass).toList())
            .filters(EngineFilter.includeEngines("junit-jupiter"))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    LauncherConfig alone =
        LauncherConfig.builder()
            .enableTestExecutionListenerAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    ScopedValue.where(InMemoryTable.IGNORED, ignored)
        .run(() -> LauncherFactory.create(alone).execute(request, listener));
    return listener.getSummary();
  }

  /// The clause, with the method of this room that writes; empty where another room does.
  private static Optional<String> name(InMemoryTable.Guarded guarded) {
    return StackWalker.getInstance()
        .walk(frames ->
            frames.filter(StoreGuardsTest::writes).findFirst().map(StoreGuardsTest::method))
        .filter(method -> !method.isEmpty())
        .map(method -> method + " " + guarded.clause());
  }

  /// The announcer only writes what others give it.
  private static boolean writes(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return type.startsWith("agentsessions.turn.")
        || (type.startsWith("agentsessions.store.")
            && !type.equals(Announcer.class.getName())
            && !type.equals(StoreGuardsTest.class.getName()));
  }

  private static String method(StackWalker.StackFrame frame) {
    String type = frame.getClassName();
    return type.startsWith("agentsessions.turn.")
        ? ""
        : type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
  }
}
