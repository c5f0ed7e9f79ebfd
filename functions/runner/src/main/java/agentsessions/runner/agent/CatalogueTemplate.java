package agentsessions.runner.agent;

import agentsessions.rule.TurnErrorCode;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Text of the catalogue in which `${NAME}` and `${NAME:-default}` stand for values.
public record CatalogueTemplate(String text) {
  private static final Pattern NAME =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\\}");

  /// The text with all names replaced.
  ///
  /// @throws TurnFailed if a name has neither a value nor a default
  public String fill(Map<String, String> values) throws TurnFailed {
    Matcher names = NAME.matcher(text);
    StringBuilder filled = new StringBuilder();
    while (names.find()) {
      names.appendReplacement(filled, Matcher.quoteReplacement(value(names, values)));
    }
    return names.appendTail(filled).toString();
  }

  private static String value(MatchResult name, Map<String, String> values) throws TurnFailed {
    String value = values.get(name.group(1));
    @Nullable String fallback = name.group(2);
    if (value != null && !(value.isEmpty() && fallback != null)) {
      return value;
    }
    if (fallback != null) {
      return fallback;
    }
    throw new TurnFailed(
        TurnErrorCode.AGENT_NOT_AVAILABLE,
        "The agent needs %s, which is not set for the runner.".formatted(name.group(1)));
  }
}
