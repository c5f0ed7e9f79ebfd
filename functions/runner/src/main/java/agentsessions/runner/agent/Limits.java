package agentsessions.runner.agent;

/// What one turn may use. Sizes are bytes.
///
/// @param output what it may print before it is stopped
/// @param file the largest file it may write
/// @param processes processes and threads at once
/// @param folder all files of its session together, looked at after the turn
/// @param free room on the disk below which it is stopped
/// @param artifact the largest file that is captured
/// @param artifacts how many files of a turn are captured
/// @param examined how many files capture looks at
/// @param files how many files a session may have
public record Limits(
    long output,
    long file,
    int processes,
    long folder,
    long free,
    long artifact,
    int artifacts,
    int examined,
    int files) {
  private static final long MIB = 1024 * 1024;

  public static final Limits STANDARD =
      new Limits(
          64 * MIB, 2048 * MIB, 1024, 10_240 * MIB, 256 * MIB, 1024 * MIB, 40, 50_000, 1_000_000);

  /// The longest reply that is kept.
  public static final int REPLY = (int) MIB;

  /// The longest line or value of JSON that is read: a reply, and how it is written.
  public static final int JSON = 2 * REPLY;

  /// The longest message of a transcript.
  static final int MESSAGE = 256 * 1024;

  /// The longest input of a tool call, which is then escaped once more.
  static final int INPUT = 64 * 1024;

  /// The longest path of a file that is captured.
  public static final int PATH = 4000;
}
