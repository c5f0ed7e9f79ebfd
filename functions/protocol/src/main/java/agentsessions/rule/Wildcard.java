package agentsessions.rule;

import java.util.List;

/// A pattern in which a star stands for any text, also for none, and everything else for itself.
///
/// @param parts the texts between the stars
public record Wildcard(List<String> parts) {

  public static Wildcard of(String pattern) {
    return new Wildcard(List.of(pattern.split("\\*", -1)));
  }

  /// In one pass, however many stars there are: each part is taken where it comes first.
  public boolean matches(String text) {
    String first = parts.getFirst();
    String last = parts.getLast();
    if (parts.size() == 1) {
      return text.equals(first);
    }
    int end = text.length() - last.length();
    int at = first.length();
    if (at > end || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    for (String part : parts.subList(1, parts.size() - 1)) {
      int found = text.indexOf(part, at);
      if (found < 0 || found + part.length() > end) {
        return false;
      }
      at = found + part.length();
    }
    return true;
  }
}
