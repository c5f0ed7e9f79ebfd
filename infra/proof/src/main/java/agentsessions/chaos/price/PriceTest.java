package agentsessions.chaos.price;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.faults.CountedCalls;
import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.SharedRig;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The price of a turn of two minutes on AWS from end to end, by its counted calls: create, a poll
/// every five seconds, the session, a plan and its download; and the runner's requests and uploads.
/// The runner's own time is not included.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class PriceTest {
  private static final Map<String, Integer> CLIENTS =
      times("create 1", "poll, live 23", "poll, ready 1", "get session 1", "artifact 1");

  /// A lease renewal every 15 seconds, a check whether the turn is live every three.
  private static final Map<String, Integer> RUNNER =
      times(
          "claim 1", "is it live 40", "lease 8", "events 3", "uploads 1", "result 1", "release 1");

  /// The one state, `Run`.
  private static final int TRANSITIONS = 1;

  /// The most for a thousand flows, in dollars.
  private static final double MOST = 0.17;

  private static final double MOST_IN_ALL = 0.51;
  private static final double MOST_OF_PARKING = 0.08;

  @Test
  void aThousandFlowsCostNoMoreThanThis() throws Exception {
    Map<String, List<AwsCall>> counted = CountedCalls.still();
    Price clients = sum(counted, CLIENTS);
    Price runner = sum(counted, RUNNER);
    Price begin = sum(counted, Map.of("begin", 1));
    Map<String, Double> table = new LinkedHashMap<>();
    table.put("requests of clients", Price.REQUEST * count(CLIENTS));
    table.put("state machine", Price.TRANSITION * TRANSITIONS + Price.STEP);
    table.put("database", clients.database() + begin.database());
    table.put("a download", Price.DOWNLOAD);
    double flow = sum(table);
    table.put("in all, without the runner", flow);
    table.put("the runner's requests", Price.REQUEST * count(RUNNER));
    table.put("its database", runner.database());
    table.put("its objects", runner.objects() + Price.UPLOAD);
    double all = sum(table) - flow;
    table.put("in all, but for its own time", all);
    // Millionths of a dollar for one flow are thousandths of a dollar for a thousand.
    table.forEach((what, each) -> System.out.printf("%-32s $%.4f%n", what, each / 1_000));
    assertTrue(flow / 1_000 <= MOST, () -> "$%.4f".formatted(flow / 1_000));
    assertTrue(all / 1_000 <= MOST_IN_ALL, () -> "$%.4f".formatted(all / 1_000));
  }

  /// While they are parked nothing is called at all.
  @Test
  void aThousandTurnsThatAreParkedCostNoMoreThanThisBeside() throws Exception {
    Map<String, List<AwsCall>> counted = CountedCalls.still();
    Map<String, Double> table = new LinkedHashMap<>();
    table.put("asking", requested(counted, "ask"));
    table.put("parking", requested(counted, "park"));
    table.put("a decision", requested(counted, "decide, parked"));
    double start =
        Price.TRANSITION * TRANSITIONS
            + Price.STEP
            + sum(counted, Map.of("begin", 1)).database()
            + requested(counted, "claim, decided");
    table.put("the second start", start);
    double all = sum(table);
    table.put("in all, for each time", all);
    table.forEach((what, each) -> System.out.printf("%-32s $%.4f%n", what, each / 1_000));
    assertTrue(all / 1_000 <= MOST_OF_PARKING, () -> "$%.4f".formatted(all / 1_000));
  }

  private static double requested(Map<String, List<AwsCall>> counted, String name)
      throws IOException {
    return Price.REQUEST + sum(counted, Map.of(name, 1)).database();
  }

  private static Price sum(Map<String, List<AwsCall>> counted, Map<String, Integer> times)
      throws IOException {
    Price sum = Price.NONE;
    for (Map.Entry<String, Integer> each : times.entrySet()) {
      Price price = Price.of(requireNonNull(counted.get(each.getKey())));
      sum = sum.plus(price, each.getValue());
    }
    return sum;
  }

  private static double sum(Map<String, Double> table) {
    return table.values().stream().mapToDouble(each -> each).sum();
  }

  private static int count(Map<String, Integer> times) {
    return times.values().stream().mapToInt(each -> each).sum();
  }

  private static Map<String, Integer> times(String... each) {
    Map<String, Integer> times = new LinkedHashMap<>();
    for (String one : each) {
      int end = one.lastIndexOf(' ');
      times.put(one.substring(0, end), Integer.parseInt(one.substring(end + 1)));
    }
    return times;
  }
}
