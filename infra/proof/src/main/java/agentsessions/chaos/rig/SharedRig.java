package agentsessions.chaos.rig;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The rigs that the tests of a process have in common, since each takes a start of the whole
/// service. A process holds one service at a time: who asks for another kind of rig, opens one of
/// its own or starts a service beside it ends the one that is open, and so does the process's end.
public enum SharedRig {
  STILL,
  OF_TASKS,
  IMPATIENT;

  /// The place among the classes of those that use `OF_TASKS`, so that it is opened once.
  public static final int ORDER_OF_TASKS = Integer.MAX_VALUE - 3;

  /// Of those that use first the one and then the other.
  public static final int ORDER_OF_TASKS_AND_STILL = Integer.MAX_VALUE - 2;

  /// The same for `STILL`, which the fuzz test goes on with: its engine comes after all others.
  public static final int ORDER_STILL = Integer.MAX_VALUE - 1;

  private static @Nullable Opened opened;

  static {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(SharedRig::close));
  }

  /// The one of this kind.
  public Rig rig() {
    synchronized (SharedRig.class) {
      @Nullable Opened last = opened;
      return last != null && last.kind() == this ? last.rig() : begin();
    }
  }

  /// Ends the one that is open, if any is.
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
