package agentsessions.turn.intake;

import agentsessions.rule.Ceiling;
import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Session;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.webhook.Announcer;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.turn.SpendingCheck;
import java.util.List;
import java.util.Optional;

/// The limits that a message has to meet: the live turns and the spending of its workspace, and the
/// ceilings of its session.
final class Admission {
  private final Table table;
  private final Announcer announcer;
  private final SpendingCheck spending;
  private final int mostLiveTurns;

  Admission(Table table, Announcer announcer, SpendingCheck spending, int mostLiveTurns) {
    this.table = table;
    this.announcer = announcer;
    this.spending = spending;
    this.mostLiveTurns = mostLiveTurns;
  }

  /// The refusal of a new session.
  Optional<Acceptance> refused(Workspace workspace) {
    Live live = live(workspace);
    Optional<Ceiling> reached = live.isLimited() ? spending.reached(workspace) : Optional.empty();
    return reached.map(Admission::spent).or(() -> tooMany(live));
  }

  /// The refusal of a follow-up.
  ///
  /// @param allowance the spending limits of its workspace
  Optional<Acceptance> refused(Session session, FollowUp followUp, SpendingLimits allowance) {
    if (followUp.expected() != null && !followUp.expected().equals(session.currentTurn())) {
      return Optional.of(new Acceptance.ThreadChanged(session.currentTurn()));
    }
    Workspace workspace = session.key().workspace();
    Session.Account account = session.account();
    return account
        .limits()
        .session()
        .reached(account.spent())
        .or(() -> spending.reached(workspace, allowance))
        .map(Admission::spent)
        .or(() -> session.working() ? Optional.empty() : tooMany(live(workspace)));
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
    boolean isLimited = found.contains(Layout.allowance(workspace));
    announcer.remember(workspace, hears || isCut);
    int turns = found.size() - (hears ? 1 : 0) - (isLimited ? 1 : 0);
    return new Live(turns >= mostLiveTurns, isLimited || isCut);
  }
}
