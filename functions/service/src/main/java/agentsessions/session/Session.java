package agentsessions.session;

import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Repository;
import agentsessions.session.usage.Ceilings;
import agentsessions.session.usage.UsageTotal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A durable conversation with one agent. `model` is the one chosen from the agent's models, null:
/// the agent's own default; `account` holds its ceilings and its usage.
public record Session(
    SessionKey key,
    String agentName,
    @Nullable String title,
    Map<String, String> metadata,
    boolean archived,
    Stamp createdAt,
    Stamp updatedAt,
    @Nullable String model,
    Turns turns,
    Configuration configuration,
    Account account) {
  private static final int TITLE = 80;

  /// The ceilings of its turns, and the usage of the settled ones together.
  ///
  /// @param settled the turn that was settled last
  public record Account(Ceilings.OfSession limits, UsageTotal spent, @Nullable TurnId settled) {
    public static final Account OPEN = new Account(Ceilings.OfSession.NONE, UsageTotal.NONE, null);
  }

  /// How many turns it has had, and how far they have come. `working` is true while the current one
  /// is live; `lastStamp` is the latest stamp of those that ended; `last` is null until one has.
  /// `waiting` are those that have not begun and are not counted yet, in their order. `request` is
  /// what the current one's agent waits for; `closingRequest` was made by the current one's end;
  /// `job` runs while no turn does; null for none.
  public record Turns(
      long number,
      TurnId first,
      TurnId current,
      boolean working,
      Stamp lastStamp,
      @Nullable Last last,
      List<TurnId> waiting,
      @Nullable RequestId request,
      Turn.@Nullable Held closingRequest,
      @Nullable Job job) {}

  /// What runs for it without an agent.
  ///
  /// @param isPush whether it makes no pull request
  public record Job(TurnId turn, boolean isPush) {
    /// The word of the API for what it makes.
    public String word() {
      return isPush ? "push" : "pull_request";
    }
  }

  /// What it was given for all of its turns. `hasWebhook`: a webhook of its own; `permissions`: the
  /// version of those of its next turns, null where everything is allowed.
  public record Configuration(
      List<Repository> repositories,
      Environment.Names environment,
      boolean hasWebhook,
      @Nullable String permissions) {
    public static final Configuration NOTHING =
        new Configuration(List.of(), Environment.Names.NONE, false, null);

    /// Whether there is anything for a turn to work on.
    boolean hasStoredInputs() {
      return !repositories.isEmpty() || !environment.equals(Environment.Names.NONE);
    }
  }

  /// The outcome of the turn that ended last; `preview` is the beginning of the reply that clients
  /// then read, null where there is none.
  public record Last(TurnStatus outcome, @Nullable String preview) {
    private static final int PREVIEW = 200;

    /// The beginning of a text, as a preview shows it.
    public static String preview(String text) {
      return beginning(text, PREVIEW);
    }
  }

  /// A new session with its first message.
  public static Session begun(Receipt receipt, NewSession newSession) {
    TurnId turn = receipt.turn().id();
    return new Session(
        receipt.turn().sessionKey(),
        newSession.agentName(),
        Objects.requireNonNullElseGet(newSession.title(), () -> title(newSession.message())),
        newSession.metadata(),
        false,
        receipt.stamp(),
        receipt.stamp(),
        newSession.inputs().model(),
        new Turns(1, turn, turn, true, receipt.stamp(), null, List.of(), null, null, null),
        new Configuration(
            newSession.inputs().repositories(),
            newSession.inputs().environment().names(),
            newSession.hook() != null,
            newSession.permissions() == null ? null : newSession.permissions().version()),
        new Account(newSession.limits(), UsageTotal.NONE, null));
  }

  /// The title of a session that was given none: the first line of its message.
  private static String title(String message) {
    return beginning(message.strip().lines().findFirst().orElse("").stripTrailing(), TITLE);
  }

  /// The first `most` code points, so that no character is cut in two.
  private static String beginning(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  public SessionId id() {
    return key.id();
  }

  public TurnKey current() {
    return key.turn(currentTurn());
  }

  public TurnId currentTurn() {
    return turns.current();
  }

  public boolean working() {
    return turns.working();
  }

  /// The turns that wait for the current one, in the order in which they will begin.
  public List<TurnId> waiting() {
    return turns.waiting();
  }

  /// The request for a decision that its current turn waits for, if it does.
  public Optional<RequestId> request() {
    return Optional.ofNullable(turns.request());
  }

  /// The job that runs for it, if one does. No turn begins meanwhile.
  public Optional<TurnKey> job() {
    return Optional.ofNullable(turns.job()).map(Job::turn).map(key::turn);
  }

  /// The request that the end of its current turn has made, about its plan or its pushes, if it is
  /// pending.
  public Optional<Turn.Held> closingRequest() {
    return Optional.ofNullable(turns.closingRequest());
  }

  /// Whether a person has yet to decide on what a turn has left.
  boolean isUndecided(TurnId turn) {
    return turns.closingRequest() != null && turn.equals(currentTurn());
  }

  /// The turn of the newest message: the last that waits, or the current one.
  public TurnId newest() {
    return waiting().isEmpty() ? currentTurn() : waiting().getLast();
  }

  /// Whether a turn runs or waits.
  public boolean busy() {
    return working() || !waiting().isEmpty();
  }

  public boolean hasWebhook() {
    return configuration.hasWebhook();
  }

  /// The version of the permissions that a turn which begins now keeps; null: everything is
  /// allowed.
  public @Nullable String permissions() {
    return configuration.permissions();
  }
}
