package agentsessions.local.process;

import agentsessions.local.machine.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// How a process of the runner is started: a small JVM with a cleared environment, since it stands
/// on the agents' side and nothing of ours may be found there.
///
/// @param logFile where it writes
/// @param environment all that it may know, except where its work comes from
public record RunnerCommand(
    Installation installation, Path logFile, Map<String, String> environment) {
  public static final String MAIN = "agentsessions.runner.start.Main";

  ProcessBuilder builder(String runtimeApi) {
    ProcessBuilder builder = builder(line(List.of()));
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", runtimeApi);
    return builder;
  }

  /// Deletes what sessions have left in their sandboxes.
  public ProcessBuilder remove(List<String> sessions) {
    List<String> arguments = new ArrayList<>(List.of("--remove"));
    arguments.addAll(sessions);
    return builder(line(arguments));
  }

  private ProcessBuilder builder(List<String> line) {
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().clear();
    builder.environment().putAll(environment);
    // Or names of files that agents make come out wrong.
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
  }

  private List<String> line(List<String> arguments) {
    List<String> line =
        new ArrayList<>(
            List.of(
                Installation.java(),
                "-Xms8m",
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED"));
    line.addAll(Installation.options("runner"));
    line.addAll(List.of("-cp", installation.runnerClassPath(), MAIN));
    line.addAll(arguments);
    return line;
  }
}
