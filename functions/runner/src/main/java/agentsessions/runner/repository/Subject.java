package agentsessions.runner.repository;

/// The first line of a commit's message, made of what the turn was asked for.
final class Subject {
  private static final int LONGEST = 72;

  private Subject() {}

  /// The first line of the turn's message that says something, and no more than 72 characters.
  static String of(String message, String agent) {
    String line =
        message
            .lines()
            .map(text -> text.replaceAll("\\p{Cntrl}", " ").strip())
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("Changes by " + agent);
    int most = Math.min(LONGEST, line.codePointCount(0, line.length()));
    return line.substring(0, line.offsetByCodePoints(0, most)).strip();
  }
}
