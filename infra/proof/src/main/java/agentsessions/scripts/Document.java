package agentsessions.scripts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Markdown page of this repository: its headings, its links, and the commands that it shows.
///
/// @param file path of the page
/// @param text its whole content
record Document(Path file, String text) {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern SPAN = Pattern.compile("`[^`\n]+`");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");
  private static final Pattern QUOTED = Pattern.compile("'[^'\n]*'|\"[^\"\n]*\"");
  private static final Pattern COMMAND =
      Pattern.compile("(?<![\\w-])scripts/([a-z][a-z-]*)(?![/\\w-])([^|;&)`\n]*)");
  private static final Pattern OPTION = Pattern.compile("(?<= )--[a-z][a-z-]*");

  /// A script that a page shows, with the options that it is shown with.
  record Command(String script, List<String> options) {}

  static Document read(Path file) throws IOException {
    return new Document(file, Files.readString(file));
  }

  /// The targets of links inside the repository: a path, an anchor, or both.
  List<String> links() {
    return found(LINK, SPAN.matcher(prose()).replaceAll("code"))
        .map(link -> link.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .toList();
  }

  /// The anchors that GitHub makes of the headings.
  List<String> anchors() {
    return found(HEADING, prose()).map(heading -> anchor(heading.group(1))).toList();
  }

  /// The project's own scripts in code blocks and in sentences.
  List<Command> commands() {
    return Stream.concat(found(FENCED, text), found(SPAN, prose()))
        .map(code -> code.group().replace("\\\n", ""))
        .flatMap(code -> found(COMMAND, QUOTED.matcher(code).replaceAll("''")))
        .map(command -> new Command(command.group(1), options(command.group(2))))
        .toList();
  }

  private static List<String> options(String arguments) {
    return found(OPTION, arguments).map(MatchResult::group).toList();
  }

  private String prose() {
    return FENCED.matcher(text).replaceAll("");
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
  }

  private static Stream<MatchResult> found(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }
}
