package agentsessions.store.usage;

import agentsessions.session.id.Workspace;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.Write;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The spending limits of workspaces, each an item of its own. It does not exist where there is no
/// limit, and lies in a partition that is read anyway when a message is accepted.
@Singleton
public final class SpendingLimitStore {
  private static final Schema SPENDING_LIMITS = new Schema();
  private static final Attribute<Long> PER_MONTH =
      SPENDING_LIMITS.attribute("per_month", AttributeFormat.NUMBER);
  private static final Attribute<Long> PER_DAY =
      SPENDING_LIMITS.attribute("per_day", AttributeFormat.NUMBER);

  private final Table table;

  public SpendingLimitStore(Table table) {
    this.table = table;
  }

  public SpendingLimits of(Workspace workspace) {
    return read(table.item(Layout.spendingLimits(workspace)));
  }

  /// Replaces all limits of a workspace, and returns them.
  public SpendingLimits put(Workspace workspace, SpendingLimits spendingLimits) {
    Change change = SPENDING_LIMITS.change(Layout.spendingLimits(workspace));
    set(change, PER_MONTH, spendingLimits.perMonth());
    set(change, PER_DAY, spendingLimits.perDay());
    Write write = spendingLimits.equals(SpendingLimits.ANY) ? change.delete() : change.overwrite();
    boolean _ = table.write(List.of(write)).committed();
    return spendingLimits;
  }

  public static SpendingLimits read(Optional<Item> item) {
    return item.map(found -> new SpendingLimits(found.find(PER_MONTH), found.find(PER_DAY)))
        .orElse(SpendingLimits.ANY);
  }

  private static void set(Change change, Attribute<Long> attribute, @Nullable Long most) {
    if (most != null) {
      Change _ = change.set(attribute, most);
    }
  }
}
