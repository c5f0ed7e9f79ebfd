package agentsessions.runner.agent.tool;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Wildcard;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A glob of repositories' URLs, as a rule for pushes has it. It names a repository by any of its
/// spellings, since a rule that one of them gets around forbids nothing.
///
/// @param written as the client wrote it
/// @param usual in the usual spelling
record RepositoryGlob(Wildcard written, Wildcard usual) {
  /// The scheme and the authority, and the path.
  private static final Pattern URL = Pattern.compile("([^/]*://[^/]*)(/.*)?");

  private static final Pattern ZEROS = Pattern.compile(":0+(?=\\d+$)");
  private static final Pattern USUAL_PORT =
      Pattern.compile("^(?:(https://.*):(?:443)?|(http://.*):(?:80)?)$");

  /// The dot of a fully qualified name.
  private static final Pattern LAST_DOT = Pattern.compile("\\.(?=$|:\\d+$)");

  /// What RFC 3986 calls unreserved, percent-encoded: letters, digits, and `-._~`.
  private static final Pattern UNRESERVED =
      Pattern.compile("(?i)%(2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)");

  private static final Pattern SLASHES = Pattern.compile("/{2,}");
  private static final Pattern END = Pattern.compile("(?:\\.git)?/?$");

  static RepositoryGlob of(String pattern) {
    String usual = usual(pattern);
    String bare = usual.endsWith("/") ? usual.substring(0, usual.length() - 1) : usual;
    return new RepositoryGlob(Wildcard.of(pattern), Wildcard.of(bare));
  }

  /// Whether one of the spellings of this URL fits: as the client wrote it, or the usual one, with
  /// and without `.git`.
  boolean names(String url) {
    String bare = END.matcher(usual(url)).replaceFirst("");
    return Stream.of(url, bare, bare + ".git")
        .anyMatch(spelling -> written.matches(spelling) || usual.matches(spelling));
  }

  /// The usual spelling of a URL or of a glob of URLs; the same text if it is neither.
  private static String usual(String text) {
    Matcher parts = URL.matcher(text);
    return parts.matches()
        ? authority(parts.group(1)) + path(requireNonNullElse(parts.group(2), ""))
        : text;
  }

  private static String authority(String text) {
    String port = ZEROS.matcher(text.toLowerCase(Locale.ROOT)).replaceFirst(":");
    return LAST_DOT.matcher(USUAL_PORT.matcher(port).replaceFirst("$1$2")).replaceFirst("");
  }

  private static String path(String text) {
    String decoded =
        UNRESERVED
            .matcher(text)
            .replaceAll(code -> Character.toString(Integer.parseInt(code.group(1), 16)));
    return SLASHES.matcher(decoded).replaceAll("/");
  }
}
