package agentsessions.store.message;

import agentsessions.session.id.SessionKey;
import agentsessions.table.Item;
import agentsessions.table.LargeReads;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.MessageItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The reader of texts for rows that have none. Texts of known length are read by one call, as many
/// as fit. Where the length is unknown, the rows are read in portions that fit even at the largest
/// size.
final class Texts {
  /// The number of messages to read first if the lengths of their texts are unknown; at the largest
  /// size these take 6 MB.
  static final int FEW = 20;

  private final Table table;

  Texts(Table table) {
    this.table = table;
  }

  /// Returns the rows with their texts until `room` is exceeded; the last row is the one that
  /// exceeds it. A row whose message is not visible yet stays without a text.
  ///
  /// @param room the room for texts, in bytes
  List<MessageRow> of(SessionKey key, List<MessageRow> rows, long room) {
    List<MessageRow> read = new ArrayList<>();
    long left = room;
    while (read.size() < rows.size() && left >= 0) {
      List<MessageRow> portion = portion(rows.subList(read.size(), rows.size()), left);
      for (MessageRow row : whole(key, portion)) {
        read.add(row);
        left -= row.mostBytes();
      }
    }
    return read;
  }

  /// The rows up to and with the first that may exceed the room.
  private static List<MessageRow> portion(List<MessageRow> rows, long room) {
    long bytes = 0;
    for (int i = 0; i < rows.size(); i++) {
      bytes += rows.get(i).mostBytes();
      if (bytes > room) {
        return rows.subList(0, i + 1);
      }
    }
    return rows;
  }

  private List<MessageRow> whole(SessionKey key, List<MessageRow> rows) {
    LargeReads.expect(
        rows.stream().filter(row -> !row.isWhole()).mapToLong(MessageRow::mostBytes).sum());
    Map<Layout.Key, Item> texts =
        table.items(rows.stream().filter(row -> !row.isWhole()).map(row -> key(key, row)).toList());
    return rows.stream().map(row -> whole(row, texts.get(key(key, row)))).toList();
  }

  private static MessageRow whole(MessageRow row, @Nullable Item message) {
    return message == null ? row : MessageRow.whole(MessageItem.read(message), row.numberInKind());
  }

  private static Layout.Key key(SessionKey key, MessageRow row) {
    return Layout.message(key, row.message().kind(), row.message().stamp());
  }
}
