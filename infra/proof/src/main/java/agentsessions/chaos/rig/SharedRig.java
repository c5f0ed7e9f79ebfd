package agentsessions.chaos.rig;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The rigs that the tests of a process share, since each takes a start of the whole service. A
/// process holds one service at a time: a test that asks for another kind of rig, opens one of its
/// own or starts a service beside it closes the open one; so does the end of the process.
public enum SharedRig {
  STILL,
  OF_TASKS,
  IMPATIENT;

  /// The position in the class order of tests that use `OF_TASKS`, so that it is opened once.
  public static final int ORDER_OF_TASKS = Integer.MAX_VALUE - 3;

  /// The position of tests that use first `OF_TASKS` and then `STILL`.
  public static final int ORDER_OF_TASKS_AND_STILL = Integer.MAX_VALUE - 2;

  /// The position of tests that use `STILL`. The fuzz test also uses it: its test engine runs after
  /// all others.
  public static final int ORDER_STILL = Integer.MAX_VALUE - 1;

  private static @Nullable Opened opened;

  static {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(SharedRig::close));
  }

  /// The rig of this kind, opened if it is not open.
  public Rig rig() {
    synchronized (SharedRig.class) {
      @Nullable Opened last = opened;
      return last != null && last.kind() == this ? last.rig() : begin();
    }
  }

  /// Closes the open rig, if there is one.
  static synchronized void close() {
    @Nullable Opened last = opened;
    opened = null;
    if (last != null) {
      last.end();
    }
  }

  private Rig begin() {
    close();
    try {
      Path data = Files.createTempDirectory("agent-sessions-rig");
      Rig rig = open(data);
      opened = new Opened(this, data, rig);
      return rig;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Rig open(Path data) {
    return switch (this) {
      case STILL -> Rig.still(data);
      case OF_TASKS -> Rig.ofTasks(data);
      case IMPATIENT -> Rig.impatient(data);
    };
  }

  private record Opened(SharedRig kind, Path data, Rig rig) {
    void end() {
      rig.close();
      try {
        MoreFiles.deleteRecursively(data, RecursiveDeleteOption.ALLOW_INSECURE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
