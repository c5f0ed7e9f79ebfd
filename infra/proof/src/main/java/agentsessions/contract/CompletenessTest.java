package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// The completeness check of the suite: the other classes have used each operation, and seen each
/// answer, of `infra/openapi.yaml`. It runs last: by [ClassOrderer.OrderAnnotation], and where
/// classes run side by side by [Isolated], which JUnit begins when all others have ended. It checks
/// first that they have: it judges the whole suite only, and a class that was left out makes it
/// fail.
@Section(number = "api", title = "Every operation and answer")
@Order(Integer.MAX_VALUE)
@Isolated
final class CompletenessTest {
  /// Server errors, which no request can cause.
  private static final Set<String> FAULTS = Set.of("500", "503");

  /// Answers that appear only in a workspace without other admin keys: the last admin key cannot be
  /// revoked.
  private static final SortedMap<String, SortedSet<String>> ONLY_ALONE =
      new TreeMap<>(Map.of("revokeKey", new TreeSet<>(Set.of("409"))));

  /// Operations on what is there only where calls of tools can wait for a decision.
  static final Set<String> ONLY_ASKED = Set.of("getRequest", "decideRequest", "revokeGrant");

  @BeforeEach
  void needTheWholeSuite() {
    assertEquals(
        List.of(CompletenessTest.class.getSimpleName()),
        Suite.missing(),
        "the classes that have not ended, or were not run");
  }

  @Test
  void everyOperationWasAnsweredWithSuccess() {
    SortedMap<String, SortedSet<String>> missing = missing(status -> status.startsWith("2"));
    if (!Target.asks(Target.client())) {
      missing.keySet().removeAll(ONLY_ASKED);
    }
    assertEquals(none(), missing);
  }

  @Test
  void everyRefusalThatIsDocumentedWasSeen() {
    SortedMap<String, SortedSet<String>> missing =
        missing(
            status -> !status.startsWith("2") && !FAULTS.contains(status) && !status.equals("429"));
    if (!Target.asks(Target.client())) {
      missing.remove("decideRequest", new TreeSet<>(Set.of("409")));
    }
    assertEquals(Target.loneClient().isPresent() ? none() : ONLY_ALONE, missing);
  }

  @Test
  void everyKeyedOperationWasOnceTooMuch() {
    assumeTrue(Target.makesKeys(), "needs a key that nobody else uses");
    assertEquals(none(), missing(status -> status.equals("429")));
  }

  private static SortedMap<String, SortedSet<String>> missing(Predicate<String> which) {
    SortedMap<String, SortedSet<String>> missing = new TreeMap<>();
    Contract.documented()
        .forEach((operation, statuses) -> {
          SortedSet<String> left = new TreeSet<>(statuses);
          left.removeIf(which.negate());
          left.removeAll(Contract.answered().getOrDefault(operation, new TreeSet<>()));
          if (!left.isEmpty()) {
            missing.put(operation, left);
          }
        });
    return missing;
  }

  private static SortedMap<String, SortedSet<String>> none() {
    return new TreeMap<>();
  }
}
