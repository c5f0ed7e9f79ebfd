package agentsessions.table.item;

import agentsessions.session.id.TurnKey;
import agentsessions.session.input.InputFile;
import agentsessions.table.Attribute;
import agentsessions.table.Attributes;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Values;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The item of the files that a message brings: apart, since a message and their contents do not
/// fit into one.
public final class InputFileItem {
  private static final Kept<List<InputFile>> KEPT =
      Kept.list(InputFile.class, InputFileItem::of, InputFileItem::read);

  private static final Attribute<Brought, List<InputFile>> FILES =
      new Attribute<>("files", KEPT, Brought::files);

  private static final Kind<Brought> KIND =
      new Kind<>(
          Brought.class,
          brought -> Layout.inputs(brought.turn()),
          (key, parts) -> new Brought(key.inputs(), parts.get(FILES)),
          List.of(FILES));

  /// The files of one turn's message.
  private record Brought(TurnKey turn, List<InputFile> files) {}

  public static List<InputFile> files(Item item) {
    return KIND.read(item).files();
  }

  public static Change put(TurnKey turn, List<InputFile> files) {
    return KIND.put(new Brought(turn, files));
  }

  private static AttributeValue of(InputFile file) {
    Attributes attributes = new Attributes().text("path", file.path());
    return switch (file) {
      case InputFile.Inline inline ->
          attributes.value("content", Values.of(inline.content())).value();
      case InputFile.Stored stored ->
          attributes
              .text("object", stored.objectKey())
              .number("size", stored.size())
              .text("sha256", stored.sha256())
              .value();
    };
  }

  private static InputFile read(AttributeValue value) {
    Item item = new Item(value.m());
    String path = item.requiredText("path");
    return item.has("content")
        ? new InputFile.Inline(path, item.binary("content"))
        : new InputFile.Stored(
            path, item.requiredText("object"), item.number("size"), item.nullableText("sha256"));
  }

  private InputFileItem() {}
}
