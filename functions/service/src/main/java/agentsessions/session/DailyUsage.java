package agentsessions.session;

import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The usage of one model on one day, by agent and API key: the sum of the turns that were settled
/// then. A turn of several models adds to each of them, but it counts as a turn, with its running
/// time, for the first one only; the others count it under `again`.
///
/// @param turns the turns of which this is the first model
/// @param spent the usage of this model; the running time is that of `turns` alone
/// @param again the other turns that used this model
/// @param againMillis the running time of those
public record DailyUsage(Of of, long turns, UsageTotal spent, long again, long againMillis) {
  private static final int NAMES = 8;
  private static final String REST = "other";

  /// The key of a tally.
  ///
  /// @param day in UTC
  /// @param model null where no model was used
  /// @param keyId the API key that sent the message
  public record Of(LocalDate day, String agentName, @Nullable String model, String keyId) {}

  /// The tallies of one turn: at most eight models by name and the rest as one, so that its ending
  /// stays within a transaction.
  public static List<DailyUsage> of(Turn turn, Usage total, Instant settledAt) {
    LocalDate day = LocalDate.ofInstant(settledAt, ZoneOffset.UTC);
    List<DailyUsage> tallies = new ArrayList<>();
    for (Usage each : byModel(total)) {
      boolean first = tallies.isEmpty();
      String model = each.models().isEmpty() ? null : each.models().getFirst().model();
      tallies.add(
          new DailyUsage(
              new Of(day, turn.agentName(), model, turn.account().keyId()),
              first ? 1 : 0,
              UsageTotal.of(first ? each : each.at(0)),
              first ? 0 : 1,
              first ? 0 : each.millis()));
    }
    return tallies;
  }

  /// The usage of a turn split into parts of at most one model each; requests that no model
  /// accounts for are in the first part.
  private static List<Usage> byModel(Usage total) {
    long left = total.requests();
    List<Usage> parts = new ArrayList<>();
    for (Usage.OfModel model : named(total.models())) {
      long requests = Math.min(left, model.requests());
      left -= requests;
      parts.add(part(total, requests, List.of(model)));
    }
    if (parts.isEmpty()) {
      return List.of(part(total, left, List.of()));
    }
    Usage first = parts.getFirst();
    parts.set(0, part(total, first.requests() + left, first.models()));
    return parts;
  }

  private static Usage part(Usage total, long requests, List<Usage.OfModel> models) {
    return new Usage(requests, models, total.millis(), total.complete(), Usage.Guess.NONE);
  }

  private static List<Usage.OfModel> named(List<Usage.OfModel> models) {
    Map<String, Usage.OfModel> named = new LinkedHashMap<>();
    for (Usage.OfModel model : models) {
      boolean fits = named.containsKey(model.model()) || named.size() < NAMES;
      String name = fits ? model.model() : REST;
      named.merge(name, model.named(name), Usage.OfModel::plus);
    }
    return List.copyOf(named.values());
  }
}
