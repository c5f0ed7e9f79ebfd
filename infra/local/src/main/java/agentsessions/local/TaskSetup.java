package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Failures;
import agentsessions.local.process.TaskEngine;
import agentsessions.local.process.TaskImage;
import agentsessions.local.process.TaskPlan;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The set-up of sessions' tasks on this machine: the image, the agents it has, and the environment
/// and ports of its containers.
record TaskSetup(TaskImage image, Settings settings, Catalogue catalogue) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TURN_MEMORY_MIB = 4096;
  private static final Pattern LOOPBACK =
      Pattern.compile("(https?://)?(127\\.0\\.0\\.1|localhost)(?::(\\d{1,5}))?(?:[/,].*)?");

  /// @throws CannotStart if Docker does not answer or the image is missing
  static TaskSetup find(Settings settings, Catalogue catalogue) {
    try {
      return new TaskSetup(TaskImage.find(settings.image()), settings, catalogue);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  List<AgentAvailability> availability() {
    try {
      return catalogue.availabilityIn(image.name(), image.commands(catalogue.commands()));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /// @param services addresses of the service and its stand-ins that runners call
  /// @param sessionDisk the disk quota of a session, in bytes
  TaskEngine open(DataFolder data, List<URI> services, long sessionDisk) {
    Map<String, String> runner = new HashMap<>(settings.reach());
    runner.putAll(
        Map.of(
            "IDLE_SECONDS", Integer.toString(settings.idleSeconds()),
            "TASK_SECONDS", "28800",
            "SESSION_DISK_MIB", Long.toString(sessionDisk >> 20)));
    int memory = settings.turnMemory().map(Integer::parseInt).orElse(TURN_MEMORY_MIB);
    Map<String, String> proxy =
        Map.of("MODEL_KEYS", JSON.valueToTree(catalogue.variables()).toString());
    try {
      return TaskEngine.open(
          new TaskPlan(
              image,
              runner,
              proxy,
              settings.agentsFile().map(file -> readable(file, data)),
              ports(services),
              memory,
              data.root(),
              data.logFile("runner")));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static CannotStart interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CannotStart("Interrupted", e);
  }

  /// A world-readable copy for the proxy container, whose user may not read the operator's file.
  private static Path readable(Path catalogue, DataFolder data) {
    try {
      Path copy = data.root().resolve("task-agents.yaml");
      Files.write(copy, Files.readAllBytes(catalogue));
      return Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      throw new CannotStart("Cannot copy " + catalogue + ": " + Failures.text(e), e);
    }
  }

  /// The ports of this machine's loopback that a task needs: those of the service, of models, and
  /// of hosts that agents may reach.
  private Set<Integer> ports(List<URI> services) {
    Set<Integer> ports = new TreeSet<>();
    services.forEach(service -> ports.add(service.getPort()));
    Stream.concat(
            Stream.concat(catalogue.variables().values().stream(), catalogue.modelUrls()),
            Stream.of(settings.reach().getOrDefault("ALLOWED_HOSTS", "").split(",", -1)))
        .map(LOOPBACK::matcher)
        .filter(match -> match.matches() && match.group(3) != null)
        .forEach(match -> ports.add(Integer.parseInt(match.group(3))));
    return ports;
  }
}
