package agentsessions.scripts;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A machine for one script: a folder with the only commands there are, a home, and a log in which
/// stub commands write their arguments.
///
/// @param folder for all of it
record ScriptMachine(Path folder) {
  private static final List<String> REAL =
      List.of(
          "bash",
          "cat",
          "chmod",
          "cksum",
          "cut",
          "df",
          "dirname",
          "env",
          "grep",
          "gzip",
          "head",
          "ls",
          "mkdir",
          "mktemp",
          "mv",
          "readlink",
          "rm",
          "script",
          "sed",
          "setpriv",
          "setsid",
          "sh",
          "sha256sum",
          "sleep",
          "tar",
          "touch",
          "tr",
          "true",
          "uname");
  static final Path SCRIPTS = Installation.find().root().resolve("scripts");

  /// The result of a script.
  ///
  /// @param output both streams, in order
  record Ending(int status, String output) {}

  /// A machine that has bash, coreutils and the like, and no package manager.
  static ScriptMachine with(Path folder) throws IOException {
    Path commands = Files.createDirectories(folder.resolve("bin"));
    for (String name : REAL) {
      write(commands.resolve(name), "exec %s \"$@\"".formatted(real(name)));
    }
    return new ScriptMachine(folder);
  }

  private static void write(Path command, String script) throws IOException {
    Files.writeString(command, "#!/bin/bash\n" + script + "\n");
    boolean _ = command.toFile().setExecutable(true);
  }

  private static Path real(String name) {
    return Stream.of("/usr/bin", "/bin")
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /// Adds a stub for a command. Its name and arguments are logged.
  ScriptMachine command(String name, String script) throws IOException {
    Path log = folder.resolve("log");
    write(
        folder.resolve("bin").resolve(name),
        "echo \"%s $*\" >>%s\n%s".formatted(name, log, script));
    return this;
  }

  /// The log of stub commands, oldest first.
  List<String> asked() throws IOException {
    Path log = folder.resolve("log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  /// Runs lines of bash that find the scripts in `$scripts`.
  Ending run(String lines) throws IOException, InterruptedException {
    return ending(start(List.of("bash", "-euo", "pipefail", "-c", lines)));
  }

  /// The same in a terminal, in which `typed` is typed.
  Ending inTerminal(String lines, String typed) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("lines"), "set -euo pipefail\n" + lines);
    Process process = start(List.of("script", "-qec", "bash " + file, "/dev/null"));
    process.getOutputStream().write(typed.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return ending(process);
  }

  /// Starts a script without waiting for it, so that signals can be sent to it.
  Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("scripts", SCRIPTS.toString());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    builder.environment().put("PATH", folder.resolve("bin").toString());
    return builder.start();
  }

  static Ending ending(Process process) throws IOException, InterruptedException {
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .replace("\r", "");
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return new Ending(process.waitFor(), output);
  }
}
