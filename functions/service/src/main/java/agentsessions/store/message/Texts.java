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

/// The texts of rows without one. What is known to fit is read by one call; messages whose copies
/// are not visible yet, in portions that fit however long they are.
final class Texts {
  /// So many messages at first where nothing is known of their texts, which may be 6 MB.
  static final int FEW = 20;

  private final Table table;

  Texts(Table table) {
    this.table = table;
  }

  /// The rows with their texts, as far as there is room: the last one is the first beyond it. One
  /// whose message is not visible has none.
  ///
  /// @param room in bytes
  List<MessageRow> of(SessionKey session, List<MessageRow> rows, long room) {
    List<MessageRow> read = new ArrayList<>();
    long left = room;
    while (read.size() < rows.size() && left >= 0) {
      List<MessageRow> portion = portion(rows.subList(read.size(), rows.size()), left);
      for (MessageRow row : whole(session, portion)) {
        read.add(row);
        left -= row.mostBytes();
      }
    }
    return read;
  }

  /// The rows up to the first that may be beyond the room.
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

  private List<MessageRow> whole(SessionKey session, List<MessageRow> rows) {
    LargeReads.expect(
        rows.stream().filter(row -> !row.isWhole()).mapToLong(MessageRow::mostBytes).sum());
    Map<Layout.Key, Item> texts =
        table.items(
            rows.stream().filter(row -> !row.isWhole()).map(row -> key(session, row)).toList());
    return rows.stream().map(row -> whole(row, texts.get(key(session, row)))).toList();
  }

  private static MessageRow whole(MessageRow row, @Nullable Item message) {
    return message == null ? row : MessageRow.whole(MessageItem.read(message), row.inClass());
  }

  private static Layout.Key key(SessionKey session, MessageRow row) {
    return Layout.message(session, row.message().kind(), row.message().stamp());
  }
}
