package agentsessions.table.item;

import agentsessions.session.input.BroughtFile;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.util.List;

/// The map of a file that a message brought; a message that brought none has no list of them.
final class BroughtFileMap {
  private static final ItemSchema<BroughtFile> SCHEMA = new ItemSchema<>(BroughtFileMap::file);
  private static final Attribute<String> PATH =
      SCHEMA.part("path", AttributeFormat.TEXT, BroughtFile::path);
  private static final Attribute<Long> SIZE =
      SCHEMA.part("size", AttributeFormat.NUMBER, BroughtFile::size);

  static final AttributeFormat<List<BroughtFile>> LIST = AttributeFormat.list(SCHEMA.format());

  private static BroughtFile file(Item item) {
    return new BroughtFile(item.get(PATH), item.get(SIZE));
  }

  private BroughtFileMap() {}
}
