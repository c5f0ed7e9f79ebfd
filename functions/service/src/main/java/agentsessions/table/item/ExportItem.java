package agentsessions.table.item;

import agentsessions.session.Export;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The item of an export.
public final class ExportItem {
  public static final String WORKING = "working";
  public static final String READY = "ready";
  public static final String FAILED = "failed";

  private static final Attribute<Export, String> BASE_URL =
      new Attribute<>("base_url", Kept.TEXT, Export::baseUrl);
  private static final Attribute<Export, Long> ATTEMPT =
      new Attribute<>("attempt", Kept.NUMBER, export -> (long) export.attempt());
  private static final Attribute<Export, String> STATUS =
      new Attribute<>("status", Kept.TEXT, export -> status(export.state()));
  private static final Attribute<Export, Instant> UNTIL =
      new Attribute<>("lease_until", Kept.INSTANT, export -> until(export.state()));

  private static final Kind<Export> KIND =
      new Kind<>(
          Export.class,
          export -> Layout.export(export.session(), export.id()),
          ExportItem::export,
          List.of(BASE_URL, ATTEMPT, STATUS, UNTIL));

  public static Export read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Export export) {
    return KIND.put(export);
  }

  private static Export export(Layout.Key key, Parts parts) {
    return new Export(
        key.export(), key.session(), parts.get(BASE_URL), parts.count(ATTEMPT), state(parts));
  }

  private static Export.State state(Parts parts) {
    return switch (parts.get(STATUS)) {
      case WORKING -> new Export.State.Working(parts.get(UNTIL));
      case READY -> new Export.State.Ready();
      default -> new Export.State.Failed();
    };
  }

  private static String status(Export.State state) {
    return switch (state) {
      case Export.State.Working _ -> WORKING;
      case Export.State.Ready _ -> READY;
      case Export.State.Failed _ -> FAILED;
    };
  }

  private static @Nullable Instant until(Export.State state) {
    return state instanceof Export.State.Working(Instant until) ? until : null;
  }

  private ExportItem() {}
}
