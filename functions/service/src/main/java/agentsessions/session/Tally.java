package agentsessions.session;

import agentsessions.session.usage.Spent;
import agentsessions.session.usage.Usage;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the turns that were settled on one day have used of one model, by agent and key. A turn of
/// several models is counted with each of them, but only with the first as what it is: one turn,
/// which ran once.
///
/// @param turns those that are counted here first
/// @param spent what was used of this model; how long the turns ran, of these alone
/// @param again the other turns that used this model
/// @param againMillis how long those ran
public record Tally(Of of, long turns, Spent spent, long again, long againMillis) {
  private static final int NAMES = 8;
  private static final String REST = "other";

  /// What it is kept by.
  ///
  /// @param day in UTC
  /// @param model null where none was used
  /// @param keyId of the key that sent the message
  public record Of(LocalDate day, String agentName, @Nullable String model, String keyId) {}

  /// What one turn adds: at most eight models by name and the rest as one, so that its ending stays
  /// within a transaction.
  public static List<Tally> of(Turn turn, Usage total, Instant settledAt) {
    LocalDate day = LocalDate.ofInstant(settledAt, ZoneOffset.UTC);
    List<Tally> tallies = new ArrayList<>();
    for (Usage each : byModel(total)) {
      boolean first = tallies.isEmpty();
      String model = each.models().isEmpty() ? null : each.models().getFirst().model();
      tallies.add(
          new Tally(
              new Of(day, turn.agentName(), model, turn.account().keyId()),
              first ? 1 : 0,
              Spent.of(first ? each : each.at(0)),
              first ? 0 : 1,
              first ? 0 : each.millis()));
    }
    return tallies;
  }

  /// The parts of what a turn has used, each of at most one model; what is said of no model is in
  /// the first.
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
