package agentsessions.runner.agent;

import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import java.util.Map;

/// The resource limits of one turn and its session. Sizes are in bytes.
///
/// @param output output on one stream, beyond which the agent is stopped
/// @param file the largest file that may be written
/// @param processes processes and threads at once
/// @param open files and sockets that one process may have open at once
/// @param memory of all its processes together
/// @param folder disk space of the session
/// @param free free disk space below which the turn that has written most is stopped
/// @param artifact the largest file that is captured
/// @param recorded all captured files of a turn together
/// @param artifacts the number of files of a turn that are captured
/// @param examined the number of files that capture looks at
/// @param files the number of files that a session may have
/// @param names the bytes of all names that are matched in a folder, and held of the files captured
/// @param patch the largest patch of what a turn has changed in a repository, and the largest file
///   in it
public record Limits(
    long output,
    long file,
    int processes,
    int open,
    long memory,
    long folder,
    long free,
    long artifact,
    long recorded,
    int artifacts,
    int examined,
    int files,
    long names,
    long patch) {
  private static final long MIB = 1024 * 1024;

  public static final Limits STANDARD =
      new Limits(
          64 * MIB,
          2048 * MIB,
          1024,
          1024,
          4096 * MIB,
          10_240 * MIB,
          512 * MIB,
          1024 * MIB,
          1024 * MIB,
          RunnerMessages.UploadRequest.MOST,
          50_000,
          1_000_000,
          8 * MIB,
          100 * MIB);

  /// The standard limits, with `TURN_MEMORY_MIB`, `SESSION_DISK_MIB` and `DISK_KEPT_FREE_MIB` of
  /// the environment in their place where they are set.
  public static Limits of(Map<String, String> environment) {
    Limits usual = STANDARD;
    return new Limits(
        usual.output,
        usual.file,
        usual.processes,
        usual.open,
        mebibytes(environment, "TURN_MEMORY_MIB", usual.memory),
        mebibytes(environment, "SESSION_DISK_MIB", usual.folder),
        mebibytes(environment, "DISK_KEPT_FREE_MIB", usual.free),
        usual.artifact,
        usual.recorded,
        usual.artifacts,
        usual.examined,
        usual.files,
        usual.names,
        usual.patch);
  }

  private static long mebibytes(Map<String, String> environment, String name, long usual) {
    String given = environment.get(name);
    return given == null ? usual : Long.parseLong(given) * MIB;
  }

  /// The longest reply that is kept.
  public static final int REPLY = TurnResult.MOST_REPLY;

  /// The longest line or value of JSON that is read: room for the longest reply with its escapes.
  public static final int JSON = 2 * REPLY;

  /// The longest message of a transcript.
  static final int MESSAGE = 256 * 1024;

  /// The longest input of a tool call that is recorded; escaping makes it longer in the request.
  static final int INPUT = 64 * 1024;

  /// The longest path of a file that is captured.
  public static final int PATH = 4000;
}
