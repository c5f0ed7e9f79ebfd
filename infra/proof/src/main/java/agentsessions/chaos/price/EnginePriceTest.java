package agentsessions.chaos.price;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.faults.CountedCalls;
import agentsessions.chaos.rig.SharedRig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The price of a thousand turns of one, ten and sixty minutes on each engine: the calls by the
/// counts of this test run, the time by list prices of us-east-1 (arm64, November 2026).
///
/// During a turn the runner checks every three seconds whether the turn is live, renews its lease
/// every fifteen and sends events every ten; its client polls as often as the service recommends.
@Tag("chaos")
@Order(SharedRig.ORDER_OF_TASKS_AND_STILL)
class EnginePriceTest {
  private static final int[] MINUTES = {1, 10, 60};

  /// A Lambda function of 2 GB, in dollars a second.
  private static final double LAMBDA = 2 * 0.0000133334;

  private static final int LONGEST_LAMBDA_MINUTES = 14;

  /// A Fargate task with a core, 4 GB, a public address, and 10 GB of disk beyond the 20 that are
  /// free; in dollars a second.
  private static final double FARGATE = (0.03238 + 4 * 0.00356 + 0.005 + 10 * 0.000111) / 3600;

  /// The time for which a task is billed before its runner claims the turn, in seconds.
  private static final int START = 45;

  private static final int IDLE = 300;

  /// Prices of other products for two cores and 4 GB, in dollars a minute: a Lambda MicroVM for
  /// each session, and an agent platform's runtime, at work and mostly waiting.
  private static final Map<String, Double> ANCHORS =
      Map.of("Lambda MicroVM", 0.0042, "AgentCore, busy", 0.0036, "AgentCore, at 30 %", 0.0015);

  @Test
  void aThousandTurnsOnEachEngine() throws Exception {
    Map<String, Price> prices = prices();
    Map<String, double[]> table = new LinkedHashMap<>();
    table.put("requests of clients", each(minutes -> clients(prices, minutes)));
    table.put("what the runner asks", each(minutes -> runner(prices, minutes)));
    table.put("start, by a function", each(_ -> start(prices, "begin")));
    table.put("start, by a task", each(_ -> start(prices, "begin, by a task")));
    table.put(
        "time of a function",
        each(minutes ->
            minutes > LONGEST_LAMBDA_MINUTES ? Double.NaN : 1e6 * LAMBDA * minutes * 60));
    table.put("time of a task", each(minutes -> 1e6 * FARGATE * (START + minutes * 60)));
    double waiting =
        1e6 * FARGATE * IDLE + at(prices, "standby", 1) + at(prices, "next, nothing yet", IDLE);
    table.put("its wait for a next turn", each(_ -> waiting));
    table.put("lambda, in all", all(table, "start, by a function", "time of a function"));
    table.put(
        "fargate, in all, no other turn",
        all(table, "start, by a task", "time of a task", "its wait for a next turn"));
    new TreeMap<>(ANCHORS)
        .forEach((name, minute) ->
            table.put(name + ", time alone", each(minutes -> 1e6 * minute * minutes)));
    System.out.printf("%-36s %9s %9s %9s%n", "dollars for 1,000 turns of", "1 min", "10", "60");
    // Millionths of a dollar for one turn are thousandths of a dollar for a thousand.
    table.forEach((what, of) ->
        System.out.printf(
            "%-36s %9.2f %9.2f %9.2f%n", what, of[0] / 1e3, of[1] / 1e3, of[2] / 1e3));
    double[] fargate = requireNonNull(table.get("fargate, in all, no other turn"));
    assertTrue(fargate[0] / 1e3 <= 10, "a minute");
    assertTrue(fargate[1] / 1e3 <= 18, "ten minutes");
    assertTrue(fargate[2] / 1e3 <= 80, "an hour");
    assertTrue(waiting / 1e3 <= 7, "a wait of five minutes");
    double ours = clients(prices, 60) + runner(prices, 60);
    assertTrue(ours <= 0.35 * 1e6 * FARGATE * 3600, "asking costs less than a third of running");
  }

  private static Map<String, Price> prices() throws Exception {
    Map<String, Price> prices = Price.of(CountedCalls.ofTasks());
    prices.put("begin", Price.of(requireNonNull(CountedCalls.still().get("begin"))));
    return prices;
  }

  private static double clients(Map<String, Price> prices, int minutes) {
    return at(prices, "create", 1)
        + at(prices, "poll, live", 10 + 25 + 12 * (minutes - 1))
        + at(prices, "poll, ready", 1);
  }

  private static double runner(Map<String, Price> prices, int minutes) {
    return at(prices, "claim", 1)
        + at(prices, "is it live", 20 * minutes)
        + at(prices, "lease", 4 * minutes)
        + at(prices, "events", 6 * minutes)
        + at(prices, "result", 1)
        + at(prices, "release", 1);
  }

  private static double start(Map<String, Price> prices, String begin) {
    return Price.TRANSITION + Price.STEP + requireNonNull(prices.get(begin)).database();
  }

  /// The price of so many runs of an experiment, in millionths of a dollar.
  private static double at(Map<String, Price> prices, String name, int times) {
    Price price = requireNonNull(prices.get(name), name);
    return times * (Price.REQUEST + price.database() + price.objects());
  }

  private static double[] each(IntToDoubleFunction price) {
    double[] all = new double[MINUTES.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = price.applyAsDouble(MINUTES[i]);
    }
    return all;
  }

  private static double[] all(Map<String, double[]> table, String... engine) {
    double[] all = new double[MINUTES.length];
    List<String> parts = new ArrayList<>(List.of("requests of clients", "what the runner asks"));
    parts.addAll(List.of(engine));
    for (String part : parts) {
      for (int i = 0; i < all.length; i++) {
        all[i] += requireNonNull(table.get(part))[i];
      }
    }
    return all;
  }
}
