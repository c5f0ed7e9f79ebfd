package agentsessions.local;

import agentsessions.local.aws.TaskEndpoint;
import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.StartedParts;
import agentsessions.local.process.TaskEngine;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command that runs the task engine alone, beside a LocalStack, which has no ECS. It prints
/// the address of its ECS endpoint, and a signal ends it together with its tasks.
@Command(
    name = "tasks",
    mixinStandardHelpOptions = true,
    description = "Answers ECS's calls, with containers of this machine's Docker.")
public final class TasksCommand implements Callable<Integer> {
  private static final long SESSION_DISK = 10L << 30;

  @Option(names = "--image", required = true, description = "What they are made of.")
  private String image = "";

  @Option(names = "--data", required = true, description = "Folder of its own.")
  private Path data = Path.of("");

  @Option(
      names = "--service",
      required = true,
      description = "What runners talk to on this machine's loopback.")
  private List<URI> services = List.of();

  @Option(names = "--idle-seconds", description = "How long a task waits for its next turn.")
  private int idleSeconds = 60;

  /// Exits with 1 and one line on stderr if it cannot start, with 2 if its options are wrong.
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new TasksCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    StartedParts parts = new StartedParts();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(parts::close));
    try {
      System.out.println(open(parts).endpoint());
      Thread.currentThread().join();
      return 0;
    } catch (CannotStart cannot) {
      System.err.println("Error: " + cannot.getMessage());
      return 1;
    }
  }

  private TaskEndpoint open(StartedParts parts) {
    Settings settings =
        new Settings(
            0,
            0,
            data,
            Optional.empty(),
            Map.of(
                Settings.ENGINE,
                "container",
                Settings.IMAGE,
                image,
                Settings.IDLE,
                idleSeconds,
                Settings.ALLOW_PRIVATE,
                true));
    DataFolder folder = parts.keep(DataFolder.take(data));
    Catalogue catalogue = Catalogue.load(Installation.find(), settings);
    TaskEngine tasks =
        parts.keep(TaskSetup.find(settings, catalogue).open(folder, services, SESSION_DISK));
    return parts.keep(new TaskEndpoint(tasks));
  }
}
