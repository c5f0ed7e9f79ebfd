package agentsessions.runner.usage;

import agentsessions.runner.agent.Dialect;
import agentsessions.runner.agent.Mask;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What a turn has used of its models so far: each call that went to one, as its proxy follows it.
/// At most eight models are named, and the rest is `other`.
public final class TurnUsage {
  private static final int NAMES = 8;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][!-~]{0,199}");
  private static final String UNNAMED = "unknown";
  private static final String REST = "other";

  private final Mask mask;
  private final Budget budget;
  private final Set<ModelCall> open = new HashSet<>();
  private Sum ended = new Sum(Map.of(), Map.of(), Tokens.NONE, true);

  /// What was used by a moment.
  ///
  /// @param calls how many went to each model, by its name
  /// @param models what each used, by its name, as far as the models said
  /// @param estimate what all used together, with a guess for answers that were cut
  /// @param complete whether every answer said all that it used
  public record Sum(
      Map<String, Long> calls, Map<String, Tokens> models, Tokens estimate, boolean complete) {

    /// How many calls went to a model.
    public long requests() {
      return calls.values().stream().mapToLong(each -> each).sum();
    }

    private Sum with(ModelCall call, Mask mask) {
      return call.used().map(used -> with(used, mask)).orElse(this);
    }

    private Sum with(ModelCall.Used used, Mask mask) {
      String name = name(mask.text(used.model()));
      Map<String, Tokens> more = new LinkedHashMap<>(models);
      more.merge(name, used.tokens(), Tokens::plus);
      Map<String, Long> counted = new LinkedHashMap<>(calls);
      counted.merge(name, 1L, Long::sum);
      return new Sum(counted, more, estimate.plus(used.estimate()), complete && used.isComplete());
    }

    private String name(String said) {
      String name = NAME.matcher(said).matches() ? said : UNNAMED;
      return models.containsKey(name) || models.size() < NAMES ? name : REST;
    }
  }

  /// @param mask what must not be in a model's name
  /// @param budget to which each call counts
  public TurnUsage(Mask mask, Budget budget) {
    this.mask = mask;
    this.budget = budget;
  }

  /// What may yet be used.
  public Budget budget() {
    return budget;
  }

  /// Follows a new call, until it has ended.
  ///
  /// @param path below the model's URL
  public synchronized ModelCall begin(Dialect dialect, String path) {
    ModelCall call = new ModelCall(dialect, path);
    open.add(call);
    return call;
  }

  /// Nothing more comes of a call; ending it twice is as good as once.
  public synchronized void end(ModelCall call) {
    if (open.remove(call)) {
      ended = ended.with(call, mask);
      call.used().ifPresent(budget::add);
      call.close();
    }
  }

  /// All that was used by now; calls under way count as far as they have come.
  public synchronized Sum sum() {
    Sum sum = ended;
    for (ModelCall call : open) {
      sum = sum.with(call, mask);
    }
    return sum;
  }
}
