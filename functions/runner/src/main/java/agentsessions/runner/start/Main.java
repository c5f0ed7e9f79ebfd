package agentsessions.runner.start;

import agentsessions.runner.sandbox.AgentProcess;
import agentsessions.runner.sandbox.Bubblewrap;
import agentsessions.runner.sandbox.FolderRemoval;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.sandbox.process.ControlGroups;
import agentsessions.runner.turn.SessionLocks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// The runner as a process on one machine: {@link RunnerHandler} for as many turns at once as it is
/// given. It ends with its parent, when its standard input is closed.
///
/// `--probe` prints in one line whether sandboxes can be made here, `bubblewrap` or `none: ` and
/// the reason, and in a second line how the memory of a turn is limited. It fails if that cannot be
/// determined now. `--remove SESSION…` deletes the folders of these sessions below `SANDBOXES`,
/// unless one is in use.
public final class Main {
  /// The time for agents to be ended at shutdown; then the process halts.
  private static final long GOODBYE_MILLIS = 1500;

  private Main() {}

  /// Serves until standard input ends. Required in the environment: `AWS_LAMBDA_RUNTIME_API`,
  /// `LC_ALL=C.UTF-8` for file names, and the variables that {@link Machine} reads.
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length > 0 && arguments[0].equals("--probe")) {
      System.exit(probe());
    }
    if (arguments.length > 0 && arguments[0].equals("--remove")) {
      System.exit(remove(List.of(arguments).subList(1, arguments.length)));
    }
    Runtime.getRuntime().addShutdownHook(new Thread(AgentProcess::endAll));
    Thread.ofPlatform().daemon().name("parent").start(Main::endWithParent);
    ProcessHealth.watch();
    WarmUp.run();
    String api = Objects.requireNonNull(System.getenv("AWS_LAMBDA_RUNTIME_API"));
    new InvocationLoop(api, new RunnerHandler()).run();
    System.exit(1);
  }

  private static int probe() {
    try {
      System.out.println(
          Bubblewrap.refusal().map(reason -> "none: " + reason).orElse("bubblewrap"));
    } catch (IllegalStateException unanswered) {
      System.err.println(unanswered.getMessage());
      return 1;
    }
    ControlGroups.prepare();
    System.out.println(ControlGroups.find().text());
    return 0;
  }

  /// Deletes one by one, so that a session that cannot be removed does not stop the others.
  private static int remove(List<String> sessions) {
    Path sandboxes = Path.of(System.getenv("SANDBOXES"));
    SessionFolders folders = new SessionFolders(sandboxes, Optional.empty());
    SessionLocks locks = new SessionLocks(sandboxes.resolve(SessionLocks.FOLDER));
    int left = 0;
    for (String session : sessions) {
      try {
        locks.remove(session, () -> FolderRemoval.of(folders.of(session).path()));
      } catch (IOException kept) {
        System.err.println("not removed: " + kept);
        left = 1;
      }
    }
    return left;
  }

  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // A standard input that cannot be read has ended as well.
    }
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    Future<?> _ =
        timer.schedule(() -> Runtime.getRuntime().halt(1), GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    System.exit(0);
  }
}
