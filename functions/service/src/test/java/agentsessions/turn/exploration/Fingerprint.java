package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryTable;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A hash of the table's content that is the same for two contents which differ only in random
/// values: an id or a hash counts as the name of its first writer, and the time.
final class Fingerprint {
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int SHORTEST = 36;

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<InMemoryTable.Key, Long> items = new HashMap<>();
  private final Supplier<String> author;
  private long sum;

  Fingerprint(Supplier<String> author) {
    this.author = author;
  }

  long sum() {
    return sum;
  }

  /// To be told of each item that was written.
  void update(InMemoryTable.Key key, @Nullable Map<String, AttributeValue> item) {
    Long before = items.remove(key);
    sum -= before == null ? 0 : before;
    if (item != null) {
      long now = of(item);
      items.put(key, now);
      sum += now;
    }
  }

  long of(Map<String, AttributeValue> item) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(item).forEach((name, value) -> append(text.append(name).append('='), value));
    return hash(text);
  }

  String named(String text) {
    return text.length() < SHORTEST
        ? text
        : RANDOM.matcher(text).replaceAll(match -> name(match.group()));
  }

  static long hash(CharSequence text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return Scheduler.mix(hash, text.length());
  }

  private String name(String random) {
    return names.computeIfAbsent(random, _ -> fresh(author.get()));
  }

  private String fresh(String by) {
    return by + "." + counts.merge(by, 1, Integer::sum);
  }

  private void append(StringBuilder text, AttributeValue value) {
    switch (value.type()) {
      case S -> text.append(named(value.s()));
      case N -> text.append(value.n());
      case BOOL -> text.append(value.bool());
      case M -> text.append(of(value.m()));
      case L -> value.l().forEach(each -> append(text, each));
      case B -> text.append(value.b().asByteArrayUnsafe().length);
      default -> throw new AssertionError("no item has a " + value.type());
    }
    text.append(';');
  }
}
