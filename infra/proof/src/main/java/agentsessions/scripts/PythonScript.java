package agentsessions.scripts;

import agentsessions.testing.Loopback;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A Python script of `scripts/lib`, run against a stub of AWS.
///
/// @param aws the stub
record PythonScript(Loopback aws) {
  private static final Path COMMAND = caches().resolve("agent-sessions/sam/bin/python");

  /// Whether the Python with the libraries that `scripts/lint` installs is there.
  static boolean isInstalled() {
    return Files.isExecutable(COMMAND);
  }

  /// Runs a script of `scripts/lib`.
  ScriptMachine.Ending run(String script, List<String> arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                COMMAND.toString(), ScriptMachine.SCRIPTS.resolve("lib/" + script).toString())
            .redirectErrorStream(true);
    builder.command().addAll(arguments);
    builder.environment().putAll(environment());
    builder.environment().keySet().removeAll(List.of("AWS_PROFILE", "AWS_SESSION_TOKEN"));
    return ScriptMachine.ending(builder.start());
  }

  private Map<String, String> environment() {
    return Map.of(
        "AWS_ENDPOINT_URL",
        aws.url(),
        "AWS_ACCESS_KEY_ID",
        "test",
        "AWS_SECRET_ACCESS_KEY",
        "test",
        "AWS_DEFAULT_REGION",
        "us-east-1");
  }

  private static Path caches() {
    String caches = System.getenv("XDG_CACHE_HOME");
    String home = Objects.requireNonNullElse(System.getenv("HOME"), "/");
    return caches == null ? Path.of(home, ".cache") : Path.of(caches);
  }
}
