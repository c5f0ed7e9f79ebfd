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

/// Puts `***` in the place of secrets, in all that is said of a turn.
///
/// A secret is found as it is, each line of it by itself, and as JSON writes it, up to three times
/// over; so that nobody meets it by accident. Other forms of it are not found (base64, for one),
/// and nothing of fewer than 8 characters is, for it would be found everywhere.
public final class Mask {
  /// Hides nothing.
  public static final Mask NONE = new Mask(Set.of());

  private static final String HIDDEN = "***";
  private static final int SHORTEST = 8;

  private final List<String> forms;

  private Mask(Collection<String> forms) {
    this.forms = List.copyOf(forms);
  }

  /// Hides these values. Those that are too short are passed over.
  public static Mask of(Collection<String> secrets) {
    Set<String> forms = new TreeSet<>();
    secrets.stream()
        .flatMap(secret -> Stream.concat(Stream.of(secret), secret.lines().map(String::strip)))
        .filter(part -> part.length() >= SHORTEST)
        .forEach(part -> forms.addAll(JsonForms.of(part)));
    return forms.isEmpty() ? NONE : new Mask(forms);
  }

  /// A whole text.
  public String text(String text) {
    return hide(text, found(text));
  }

  /// A text whose end is missing: a secret of which only the beginning is left is hidden, too.
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

  /// A text whose beginning is missing.
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

  /// JSON with all texts in it masked: names and values, numbers that are a secret, too.
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

  /// The places of all characters that belong to a secret.
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

  /// The last one that begins in this one, since they may overlap; else the first after it.
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

  /// Without the backslashes of an escape that would then be none, so that JSON stays JSON.
  private static int unescaped(String text, int from, int end) {
    int before = end;
    while (before > from && text.charAt(before - 1) == '\\') {
      before--;
    }
    boolean whole = (end - before) % 2 == 0 && text.charAt(end) != '\\';
    return whole ? end : before;
  }
}
