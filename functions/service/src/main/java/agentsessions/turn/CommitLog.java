package agentsessions.turn;

import static agentsessions.turn.Guards.fenced;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.repository.PushedCommits;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.item.TurnItem;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// The record of the commits that a session has pushed, or was about to: written before the push,
/// so that a push whose answer was lost is known again as the session's own.
@Singleton
public final class CommitLog {
  private static final Schema PUSHED = new Schema();
  private static final Attribute<String> COMMITS =
      PUSHED.attribute("commits", AttributeFormat.TEXT);
  private static final Attribute<Integer> VERSION = PUSHED.attribute("n", AttributeFormat.COUNT);

  private final Table table;
  private final Clock clock;

  public CommitLog(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /// The commits on record.
  public PushedCommits known(SessionKey key) {
    return known(table.item(Layout.pushed(key)));
  }

  /// Records a commit. False where the turn is no longer this runner's.
  ///
  /// @param repository the number of the repository in the session, from 1
  public boolean record(Turn turn, int repository, String commit) {
    for (int tries = 0; ; tries++) {
      Optional<Item> item = table.item(Layout.pushed(turn.key().sessionKey()));
      PushedCommits known = known(item);
      if (known.has(repository, commit)) {
        return turn.isRunning();
      }
      Change holder = fenced(turn).set(TurnItem.PUSHED_AT, clock.instant());
      Change record = record(turn.key().sessionKey(), item, known.with(repository, commit));
      switch (table.write(List.of(holder.update(), record.update()))) {
        case Table.Outcome.Committed _ -> {
          return true;
        }
        case Table.Outcome.Refused refused when refused.by().containsKey(0) -> {
          return false;
        }
        case Table.Outcome.Refused _ -> Retries.pause("commits", tries);
      }
    }
  }

  private static Change record(SessionKey key, Optional<Item> seen, PushedCommits next) {
    int version = seen.map(item -> item.get(VERSION, 0)).orElse(0);
    Change change =
        PUSHED.change(Layout.pushed(key)).set(COMMITS, next.lines()).set(VERSION, version + 1);
    return version == 0
        ? change.when("attribute_not_exists(#n)")
        : change.when("#n = :seen").with("seen", VERSION, version);
  }

  private static PushedCommits known(Optional<Item> item) {
    return PushedCommits.read(item.map(found -> found.get(COMMITS, "")).orElse(""));
  }
}
