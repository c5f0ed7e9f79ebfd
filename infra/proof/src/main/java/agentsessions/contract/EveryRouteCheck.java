package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// What is tagged `stack`, the part of the suite that a deployed stack is held to, leaves out no
/// operation. It is the last class, and judges what ran before it in the same JVM.
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
    assertEquals(Set.of(), left);
  }
}
