package agentsessions.table.item;

import agentsessions.session.id.TurnKey;
import agentsessions.session.input.InputFile;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The item of the files that a message brings, apart from the turn: the message and the contents
/// of its files may together exceed the size of one item.
public final class InputFileItem {
  private static final ItemSchema<InputFile> FILE = new ItemSchema<>(InputFileItem::file);
  private static final Attribute<String> PATH =
      FILE.part("path", AttributeFormat.TEXT, InputFile::path);
  private static final Attribute<ByteBuffer> CONTENT =
      FILE.part(
          "content",
          AttributeFormat.BYTES,
          file -> file instanceof InputFile.Inline inline ? inline.content() : null);
  private static final Attribute<String> OBJECT =
      FILE.part("object", AttributeFormat.TEXT, stored(InputFile.Stored::objectKey));
  private static final Attribute<Long> SIZE =
      FILE.part("size", AttributeFormat.NUMBER, stored(InputFile.Stored::size));
  private static final Attribute<String> SHA256 =
      FILE.part("sha256", AttributeFormat.TEXT, stored(InputFile.Stored::sha256));

  /// The files of one turn's message.
  private record Brought(TurnKey turn, List<InputFile> files) {}

  private static final ItemSchema<Brought> SCHEMA =
      new ItemSchema<>(brought -> Layout.inputs(brought.turn()), InputFileItem::brought);
  private static final Attribute<List<InputFile>> FILES =
      SCHEMA.part("files", AttributeFormat.list(FILE.format()), Brought::files);

  public static List<InputFile> files(Item item) {
    return SCHEMA.read(item).files();
  }

  public static Change put(TurnKey turn, List<InputFile> files) {
    return SCHEMA.put(new Brought(turn, files));
  }

  private static Brought brought(Item item) {
    return new Brought(item.key().inputs(), item.get(FILES));
  }

  private static InputFile file(Item item) {
    String path = item.get(PATH);
    ByteBuffer content = item.find(CONTENT);
    return content == null
        ? new InputFile.Stored(path, item.get(OBJECT), item.get(SIZE), item.find(SHA256))
        : new InputFile.Inline(path, content);
  }

  private static <V> Function<InputFile, @Nullable V> stored(
      Function<InputFile.Stored, @Nullable V> of) {
    return file -> file instanceof InputFile.Stored stored ? of.apply(stored) : null;
  }

  private InputFileItem() {}
}
