package agentsessions.runner.repository;

/// The subject of a commit message, made from the turn's message.
final class CommitSubject {
  private static final int LONGEST = 72;

  private CommitSubject() {}

  /// The first line of the turn's message that is not blank, cut to 72 characters.
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
