package agentsessions.turn.intake;

import agentsessions.rule.Ceiling;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.OnRunning;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.request.Requests;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.TurnQueue;
import agentsessions.turn.budget.SpendingCheck;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// The limits that a message has to meet: the live turns and the spending of its workspace, and the
/// ceilings of its session.
@Singleton
public final class Admission {
  private final Table table;
  private final Announcer announcer;
  private final SpendingCheck spending;
  private final Requests requests;
  private final int mostLiveTurns;

  public Admission(
      Table table,
      Announcer announcer,
      SpendingCheck spending,
      Requests requests,
      @Property(name = "max.live.turns", defaultValue = "100") int mostLiveTurns) {
    this.table = table;
    this.announcer = announcer;
    this.spending = spending;
    this.requests = requests;
    this.mostLiveTurns = mostLiveTurns;
  }

  /// Refuses a turn that begins without a message of a client.
  ///
  /// @throws Refusal what a message would meet
  void require(Session session, FollowUp message, SpendingLimits spendingLimits) {
    if (refused(session, message, spendingLimits).orElse(null)
        instanceof Acceptance.Refused refused) {
      throw refused.refusal();
    }
  }

  /// The refusal of a new session.
  Optional<Acceptance> refused(Workspace workspace) {
    Live live = live(workspace);
    Optional<Ceiling> reached = live.isLimited() ? spending.reached(workspace) : Optional.empty();
    return reached.map(Admission::spent).or(() -> tooMany(live));
  }

  /// The refusal of a follow-up.
  ///
  /// @param spendingLimits those of its workspace
  Optional<Acceptance> refused(Session session, FollowUp followUp, SpendingLimits spendingLimits) {
    if (followUp.expected() != null && !followUp.expected().equals(session.newest())) {
      return Optional.of(new Acceptance.ThreadChanged(session.newest()));
    }
    Workspace workspace = session.key().workspace();
    Session.Account account = session.account();
    return account
        .limits()
        .session()
        .reached(account.spent())
        .or(() -> spending.reached(workspace, spendingLimits))
        .map(Admission::spent)
        .or(() -> full(session, followUp))
        .or(() -> isOneMore(session, followUp) ? tooMany(live(workspace)) : Optional.empty());
  }

  /// Whether a follow-up waits for the turns of its session, or for its job.
  static boolean waits(Session session, FollowUp followUp) {
    return session.job().isPresent() || (followUp.onRunning() == OnRunning.QUEUE && session.busy());
  }

  private static Optional<Acceptance> full(Session session, FollowUp followUp) {
    boolean isFull =
        waits(session, followUp)
            ? session.waiting().size() >= TurnQueue.MOST
            : !BegunFollowUp.hasRoom(session);
    return isFull ? Optional.of(new Acceptance.QueueFull(TurnQueue.MOST)) : Optional.empty();
  }

  /// Whether there is a live turn more afterwards.
  private static boolean isOneMore(Session session, FollowUp followUp) {
    return !session.working() || waits(session, followUp);
  }

  private static Acceptance spent(Ceiling reached) {
    return new Acceptance.BudgetReached(reached);
  }

  private Optional<Acceptance> tooMany(Live live) {
    return live.isFull()
        ? Optional.of(new Acceptance.TooManyTurns(mostLiveTurns))
        : Optional.empty();
  }

  /// The state of a workspace's live turns.
  ///
  /// @param isFull whether the limit of live turns is reached; concurrent requests may exceed it a
  ///   little
  /// @param isLimited whether the workspace may have spending limits
  private record Live(boolean isFull, boolean isLimited) {}

  /// The marks for webhooks and spending limits sort after the pointers of working sessions. With
  /// too many pointers they are not read, and both are assumed.
  private Live live(Workspace workspace) {
    List<Layout.Key> found = table.keys(Layout.workingPartition(workspace), mostLiveTurns + 2);
    boolean isCut = found.size() == mostLiveTurns + 2;
    boolean hears = found.contains(Layout.webhookMark(workspace));
    boolean isLimited = found.contains(Layout.spendingLimits(workspace));
    announcer.remember(workspace, hears || isCut);
    int turns = found.size() - (hears ? 1 : 0) - (isLimited ? 1 : 0);
    boolean isFull = turns >= mostLiveTurns && turnsToRun(workspace) >= mostLiveTurns;
    return new Live(isFull, isLimited || isCut);
  }

  /// The live turns without those that are parked: no runner has them, and what bounds them is how
  /// many requests of a workspace may be pending. They are counted only where they may matter.
  private int turnsToRun(Workspace workspace) {
    int most = mostLiveTurns + HeldTurns.MOST_PENDING + 2;
    long turns =
        table.keys(Layout.workingPartition(workspace), most).stream()
            .filter(key -> !key.equals(Layout.webhookMark(workspace)))
            .filter(key -> !key.equals(Layout.spendingLimits(workspace)))
            .count();
    return Math.toIntExact(turns) - requests.parked(workspace, HeldTurns.MOST_PENDING);
  }
}
