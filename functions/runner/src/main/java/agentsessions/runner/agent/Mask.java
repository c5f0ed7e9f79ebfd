package agentsessions.runner.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The masking of secrets: puts `***` in their place in everything that is reported of a turn.
///
/// A secret is found as it is, line by line, and as it is written in JSON, in JSON within JSON, and
/// once more; so it does not appear by accident. Other encodings (base64, for one) are not found,
/// and neither are values of fewer than 8 characters, which would be found everywhere.
public final class Mask {
  /// Hides nothing.
  public static final Mask NONE = new Mask(Set.of());

  private static final String HIDDEN = "***";
  private static final int SHORTEST = 8;

  private final List<String> forms;

  private Mask(Collection<String> forms) {
    this.forms = List.copyOf(forms);
  }

  /// A mask of these values; values that are too short are skipped.
  public static Mask of(Collection<String> secrets) {
    Set<String> forms = new TreeSet<>();
    secrets.stream()
        .flatMap(secret -> Stream.concat(Stream.of(secret), secret.lines().map(String::strip)))
        .filter(part -> part.length() >= SHORTEST)
        .forEach(part -> forms.addAll(JsonForms.of(part)));
    return forms.isEmpty() ? NONE : new Mask(forms);
  }

  /// Masks a complete text.
  public String text(String text) {
    return hide(text, found(text));
  }

  /// Masks a text that was cut at its end: the beginning of a secret there is hidden, too.
  public String beginning(String text) {
    BitSet found = found(text);
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '\ufffd') {
      end--; // half a character
    }
    for (String form : forms) {
      int left = Math.min(form.length() - 1, end);
      while (left > 0 && !text.startsWith(form.substring(0, left), end - left)) {
        left--;
      }
      found.set(end - left, end);
    }
    return hide(text, found);
  }

  /// Masks a text that was cut at its beginning: the end of a secret there is hidden, too.
  public String ending(String text) {
    BitSet found = found(text);
    int from = 0;
    while (from < text.length() && text.charAt(from) == '\ufffd') {
      from++;
    }
    for (String form : forms) {
      int left = Math.min(form.length() - 1, text.length() - from);
      while (left > 0 && !text.startsWith(form.substring(form.length() - left), from)) {
        left--;
      }
      found.set(from, from + left);
    }
    return hide(text, found);
  }

  /// Masks all names and values of a JSON tree, numbers that are a secret included.
  public JsonNode json(JsonNode node) {
    if (forms.isEmpty()) {
      return node;
    }
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode masked = Json.MAPPER.createObjectNode();
        object
            .properties()
            .forEach(field -> masked.set(text(field.getKey()), json(field.getValue())));
        yield masked;
      }
      case ArrayNode array -> {
        ArrayNode masked = Json.MAPPER.createArrayNode();
        array.forEach(element -> masked.add(json(element)));
        yield masked;
      }
      default -> {
        String masked = text(node.asText());
        yield masked.equals(node.asText()) ? node : TextNode.valueOf(masked);
      }
    };
  }

  /// The indexes of all characters that belong to a secret.
  private BitSet found(String text) {
    BitSet found = new BitSet();
    for (String form : forms) {
      int at = text.indexOf(form);
      while (at >= 0) {
        found.set(at, at + form.length());
        at = next(text, form, at);
      }
    }
    return found;
  }

  /// The next occurrence to look at: the last one that overlaps this one, else the first one behind
  /// it.
  private static int next(String text, String form, int at) {
    int overlapping = text.lastIndexOf(form, at + form.length());
    return overlapping > at ? overlapping : text.indexOf(form, at + form.length());
  }

  private static String hide(String text, BitSet found) {
    if (found.isEmpty()) {
      return text;
    }
    StringBuilder masked = new StringBuilder();
    int from = 0;
    for (int at = found.nextSetBit(0); at >= 0; at = found.nextSetBit(from)) {
      masked.append(text, from, unescaped(text, from, at)).append(HIDDEN);
      from = found.nextClearBit(at);
    }
    return masked.append(text, from, text.length()).toString();
  }

  /// The end of the text before a secret, without the backslashes of an escape sequence that the
  /// mask would cut in two: the JSON stays valid.
  private static int unescaped(String text, int from, int end) {
    int before = end;
    while (before > from && text.charAt(before - 1) == '\\') {
      before--;
    }
    boolean whole = (end - before) % 2 == 0 && text.charAt(end) != '\\';
    return whole ? end : before;
  }
}
