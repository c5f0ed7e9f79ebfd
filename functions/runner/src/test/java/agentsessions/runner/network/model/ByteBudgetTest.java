package agentsessions.runner.network.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the bytes that turns hold together.
class ByteBudgetTest {
  private final ByteBudget budget = new ByteBudget(10);
  private final List<String> served = new ArrayList<>();

  @Test
  void whoDoesNotFitWaitsAndNobodyOvertakes() {
    take("first", 6);
    take("large", 8);
    take("small", 1);
    assertEquals(List.of("first"), served);
    budget.giveBack(6);
    assertEquals(List.of("first", "large", "small"), served);
    take("last", 10);
    budget.giveBack(8);
    assertEquals(List.of("first", "large", "small"), served);
    budget.giveBack(1);
    assertEquals(List.of("first", "large", "small", "last"), served);
  }

  private void take(String name, long bytes) {
    budget.take(bytes, () -> served.add(name));
  }
}
