package agentsessions.local.process;

import agentsessions.local.machine.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The command line and environment of a runner process: a small JVM with a cleared environment,
/// since the runner is close to agents and must not carry secrets of the service.
///
/// @param turns how many turns it may run at once
/// @param logFile the file for its output
/// @param environment all its variables but its locale and the address of its Runtime API
public record RunnerCommand(
    Installation installation, int turns, Path logFile, Map<String, String> environment) {
  public static final String MAIN = "agentsessions.runner.start.Main";

  /// What a runner needs without a turn, and for the bodies that its turns hold together, in MiB.
  private static final int HEAP = 168;

  /// What one turn needs at the end of the longest answer, in MiB.
  private static final int HEAP_OF_A_TURN = 24;

  ProcessBuilder builder(String runtimeApi) {
    ProcessBuilder builder = builder(line(List.of()));
    builder.environment().put("AWS_LAMBDA_RUNTIME_API", runtimeApi);
    return builder;
  }

  /// A process that deletes the sandbox folders of sessions.
  public ProcessBuilder remove(List<String> sessions) {
    List<String> arguments = new ArrayList<>(List.of("--remove"));
    arguments.addAll(sessions);
    return builder(line(arguments));
  }

  private ProcessBuilder builder(List<String> line) {
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().clear();
    builder.environment().putAll(environment);
    // Without it, names of files that agents make are read in the wrong encoding.
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
                installation.jvmOptions(),
                "-Xms8m",
                "-Xmx%dm".formatted(HEAP + turns * HEAP_OF_A_TURN),
                "-XX:-UsePerfData"));
    line.addAll(Installation.options("runner"));
    line.addAll(List.of("-cp", installation.runnerClassPath(), MAIN));
    line.addAll(arguments);
    return line;
  }
}
