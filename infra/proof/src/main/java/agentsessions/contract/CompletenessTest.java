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

/// Nothing that `infra/openapi.yaml` documents was left out by the other classes. This one is the
/// last: by [ClassOrderer.OrderAnnotation], and where classes run side by side by [Isolated], which
/// JUnit begins when all others have ended. That they have is the first thing it asks: it judges
/// the whole suite only, and a class that was forgotten makes it fail.
@Section(number = "api", title = "Every operation and answer")
@Order(Integer.MAX_VALUE)
@Isolated
final class CompletenessTest {
  /// No request can bring these about.
  private static final Set<String> FAULTS = Set.of("500", "503");

  /// Seen only in a workspace in which nobody else makes keys: the last admin key is kept.
  private static final SortedMap<String, SortedSet<String>> ONLY_ALONE =
      new TreeMap<>(Map.of("revokeKey", new TreeSet<>(Set.of("409"))));

  @BeforeEach
  void needTheWholeSuite() {
    assertEquals(
        List.of(CompletenessTest.class.getSimpleName()),
        Suite.missing(),
        "the classes that have not ended, or were not run");
  }

  @Test
  void everyOperationWasAnsweredWithSuccess() {
    assertEquals(none(), missing(status -> status.startsWith("2")));
  }

  @Test
  void everyRefusalThatIsDocumentedWasSeen() {
    assertEquals(
        Target.loneClient().isPresent() ? none() : ONLY_ALONE,
        missing(status ->
            !status.startsWith("2") && !FAULTS.contains(status) && !status.equals("429")));
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
