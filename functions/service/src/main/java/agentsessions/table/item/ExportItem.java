package agentsessions.table.item;

import agentsessions.session.Export;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The item of an export.
public final class ExportItem {
  public static final String WORKING = "working";
  public static final String READY = "ready";
  public static final String FAILED = "failed";

  private static final ItemSchema<Export> SCHEMA =
      new ItemSchema<>(
          export -> Layout.export(export.sessionKey(), export.id()), ExportItem::export);
  private static final Attribute<String> BASE_URL =
      SCHEMA.part("base_url", AttributeFormat.TEXT, Export::baseUrl);
  public static final Attribute<Integer> ATTEMPT =
      SCHEMA.part("attempt", AttributeFormat.COUNT, Export::attempt);
  public static final Attribute<String> STATUS =
      SCHEMA.part("status", AttributeFormat.TEXT, export -> status(export.state()));
  public static final Attribute<Instant> LEASE_UNTIL =
      SCHEMA.part("lease_until", AttributeFormat.INSTANT, export -> until(export.state()));

  public static Export read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Export export) {
    return SCHEMA.put(export);
  }

  public static Change change(Export export) {
    return SCHEMA.change(Layout.export(export.sessionKey(), export.id()));
  }

  private static Export export(Item item) {
    Layout.Key key = item.key();
    return new Export(
        key.export(), key.sessionKey(), item.get(BASE_URL), item.get(ATTEMPT, 0), state(item));
  }

  private static Export.State state(Item item) {
    return switch (item.get(STATUS)) {
      case WORKING -> new Export.State.Working(item.get(LEASE_UNTIL));
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
