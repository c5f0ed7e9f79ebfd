package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// The completeness check of the tests with the tag `stack`, which run against a deployed stack:
/// they use every operation. It is the last class, and judges the tests that ran before it in the
/// same JVM.
@Tag("stack")
@Order(Integer.MAX_VALUE)
@Isolated
final class EveryRouteCheck {
  @Test
  void everyOperationWasAnsweredWithSuccess() {
    Set<String> left = new TreeSet<>(Contract.documented().keySet());
    Contract.answered()
        .forEach((operation, statuses) -> {
          if (statuses.stream().anyMatch(status -> status.startsWith("2"))) {
            left.remove(operation);
          }
        });
    if (!Target.asks(Target.client())) {
      left.removeAll(CompletenessTest.ONLY_ASKED);
    }
    assertEquals(Set.of(), left);
  }
}
