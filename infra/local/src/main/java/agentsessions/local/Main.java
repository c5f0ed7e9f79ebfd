package agentsessions.local;

import agentsessions.local.machine.Failures;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command behind scripts/start: serves until it is told to stop.
public final class Main {
  /// Serves; exit code 1 and one line on stderr if the service cannot start.
  public static void main(String[] arguments) {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    CommandLine command =
        new CommandLine(CommandLine.getCommandMethods(Main.class, "serve").getFirst());
    command.setExecutionExceptionHandler((failure, line, result) -> refused(failure, line));
    System.exit(
        command.execute(arguments)); // threads of the servers would keep a failed start alive
  }

  @Command(name = "scripts/start", description = "Serves the Agent Session API on this machine.")
  int serve(
      @Option(
              names = "--port",
              defaultValue = "8080",
              paramLabel = "PORT",
              description = "Port of the API (${DEFAULT-VALUE}).")
          int port,
      @Option(
              names = "--s3-port",
              paramLabel = "PORT",
              description = "Port of the downloads (the API's + 1). Links hold it, so keep it.")
          @Nullable Integer s3Port,
      @Option(
              names = "--data",
              paramLabel = "DIR",
              description = "Folder that keeps everything between runs.")
          @Nullable Path data,
      @Option(
              names = "--tools",
              defaultValue = "${env:AGENT_SESSIONS_TOOLS:-" + Option.NULL_VALUE + "}",
              paramLabel = "DIR",
              description =
                  "Folder with installed agents (bin or node_modules/.bin), beside the system's own"
                      + " ($$AGENT_SESSIONS_TOOLS).")
          @Nullable Path tools,
      @Option(
              names = "--agents",
              paramLabel = "FILE",
              description = "A catalogue of your own instead of infra/agents.yaml.")
          @Nullable Path agents,
      @Option(names = "--help", usageHelp = true, description = "Show this.") boolean help,
      @Option(names = "--verbose", description = "Log more.") boolean verbose)
      throws InterruptedException {
    System.setProperty("log.level", verbose ? "DEBUG" : "INFO");
    System.setProperty("logback.configurationFile", "agentsessions/local/logback.xml");
    Path folder = data == null ? usualFolder() : data;
    Settings settings =
        new Settings(
            port,
            s3Port == null ? next(port) : s3Port,
            folder,
            Optional.ofNullable(tools),
            agents == null
                ? Map.of()
                : Map.of(Settings.AGENTS_FILE, agents.toAbsolutePath().toString()));
    LocalService service = LocalService.start(settings);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(service::close));
    greet(service);
    Thread.currentThread().join();
    return 0;
  }

  private static void greet(LocalService service) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    out.println("Base URL: " + service.baseUrl() + "/rest/v1");
    out.println("API key: " + service.localKey());
    out.println("Isolation: " + service.isolation());
    out.println("Data: " + service.dataFolder());
    out.println();
    out.println(
        session()
            .replace("{{base_url}}", service.baseUrl().toString())
            .replace("{{key}}", service.localKey()));
  }

  private static int refused(Exception failure, CommandLine line) {
    line.getErr().println("Error: " + Failures.text(failure));
    if (Boolean.TRUE.equals(line.getParseResult().matchedOptionValue("--verbose", false))) {
      failure.printStackTrace(line.getErr());
    }
    return 1;
  }

  private static String session() {
    try (InputStream text = Main.class.getResourceAsStream("curl-session.txt")) {
      return text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /// A free port of the API gets a free one for the downloads.
  private static int next(int port) {
    return port == 0 ? 0 : port + 1;
  }

  private static Path usualFolder() {
    @Nullable String state = System.getenv("XDG_STATE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".local", "state");
    return (state == null || state.isBlank() ? home : Path.of(state)).resolve("agent-sessions");
  }
}
