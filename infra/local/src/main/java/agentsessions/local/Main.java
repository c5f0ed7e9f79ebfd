package agentsessions.local;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.InstalledCommands;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The command behind scripts/start: serves until a signal stops it.
public final class Main {
  /// The exit code of a start that failed for now; scripts/lib/supervise.sh then starts again.
  static final int BROKEN_OFF = 75;

  private Main() {}

  /// Serves. Exits with 1 and one line on stderr if the service cannot start, with 2 if the options
  /// are wrong, with 75 if it could not start for now.
  public static void main(String[] arguments) {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    // threads of the servers would keep a failed start alive
    System.exit(command().execute(arguments));
  }

  static CommandLine command() {
    CommandLine command = new CommandLine(StartOptions.class);
    command.setUsageHelpWidth(100);
    command.setExecutionStrategy(Main::execute);
    command.setParameterExceptionHandler((mistake, arguments) -> misunderstood(mistake));
    return command;
  }

  private static int misunderstood(ParameterException mistake) {
    PrintWriter errors = mistake.getCommandLine().getErr();
    errors.println("Error: " + mistake.getMessage());
    errors.println("See scripts/start --help");
    return 2;
  }

  private static int execute(ParseResult parsed) {
    CommandLine command = parsed.commandSpec().commandLine();
    @Nullable Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    StartOptions options = command.getCommand();
    if ((options.host() == null) != (options.publicUrl() == null)) {
      command.getErr().println("Error: --host and --public-url go together");
      return 2;
    }
    try {
      serve(options);
      return 0;
    } catch (RuntimeException e) {
      return refused(e, options, command.getErr());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static void serve(StartOptions options) throws InterruptedException {
    System.setProperty("log.level", options.verbose() ? "DEBUG" : "WARN");
    System.setProperty("logback.configurationFile", "agentsessions/local/logback.xml");
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    LocalService service = LocalService.start(settings(options));
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> stop(service, out)));
    StartupBanner greeting = greeting(service);
    out.println(options.quiet() ? greeting.quiet() : greeting.text());
    Thread.currentThread().join();
  }

  private static void stop(LocalService service, PrintWriter out) {
    service.close();
    out.println("Stopped.");
  }

  static Settings settings(StartOptions options) {
    @Nullable Path tools = options.tools();
    if (tools != null && !Files.isDirectory(tools)) {
      throw new CannotStart("There is no folder " + tools + " (--tools)");
    }
    @Nullable Path data = options.data();
    @Nullable Integer s3Port = options.s3Port();
    return new Settings(
        options.port(),
        s3Port == null ? next(options.port()) : s3Port,
        data == null ? usualFolder() : data,
        Optional.ofNullable(tools),
        chosen(options));
  }

  private static Map<String, Object> chosen(StartOptions options) {
    @Nullable Integer turns = options.maxLiveTurns();
    @Nullable List<String> trusted = options.trust();
    Map<String, Object> chosen = new HashMap<>(AgentGrants.of(options));
    chosen.put(Settings.CORS_ORIGIN, origin(options.corsOrigin()));
    put(chosen, Settings.ENGINE, engine(options.engine()).equals("process") ? null : "container");
    put(chosen, Settings.IMAGE, options.image());
    put(chosen, Settings.AGENTS_FILE, absolute(options.agents()));
    put(chosen, Settings.PRICES_FILE, absolute(options.prices()));
    put(chosen, Settings.TURN_MEMORY, options.turnMemory());
    put(chosen, Settings.SESSION_DISK, options.sessionDisk());
    put(
        chosen,
        Settings.MAX_LIVE_TURNS,
        turns == null ? null : atLeastOne(turns, "--max-live-turns"));
    put(chosen, Settings.TRUSTED_AGENTS, trusted == null ? null : String.join(",", trusted));
    putAddress(chosen, options.host(), options.publicUrl());
    return chosen;
  }

  /// Both or none: an address that others reach has a name that they know.
  private static void putAddress(
      Map<String, Object> chosen, @Nullable String host, @Nullable URI publicUrl) {
    if (host != null && publicUrl != null) {
      chosen.put(Settings.HOST, host);
      chosen.put(Settings.PUBLIC_URL, publicUrl.toString());
    }
  }

  private static void put(Map<String, Object> chosen, String setting, @Nullable Object value) {
    if (value != null) {
      chosen.put(setting, value);
    }
  }

  private static @Nullable String absolute(@Nullable Path path) {
    return path == null ? null : path.toAbsolutePath().toString();
  }

  private static int atLeastOne(int number, String option) {
    if (number < 1) {
      throw new CannotStart(option + " must be at least 1");
    }
    return number;
  }

  private static String engine(String engine) {
    if (!Set.of("process", "container").contains(engine)) {
      throw new CannotStart("--engine must be process or container");
    }
    return engine;
  }

  private static String origin(String origin) {
    if (!origin.matches("(\\*|https?://[^/*]+)?")) {
      throw new CannotStart("--cors-origin must be an origin, such as https://example.com, or *");
    }
    return origin;
  }

  private static StartupBanner greeting(LocalService service) {
    return new StartupBanner(
        ServiceVersion.text(),
        service.baseUrl(),
        service.localKey(),
        service.signInCode(),
        service.availability(),
        service.sandbox(),
        service.dataFolder(),
        service.reach(),
        new StartupBanner.Machine(
            Installation.find().root().resolve("scripts"),
            InstalledCommands.isOnPath("bwrap"),
            InstalledCommands.isOnPath("jq"),
            InstalledCommands.isInSandboxes("git")));
  }

  private static int refused(RuntimeException failure, StartOptions options, PrintWriter errors) {
    errors.println("Error: " + Failures.text(failure));
    if (options.verbose()) {
      failure.printStackTrace(errors);
    }
    return status(failure);
  }

  /// An unexpected failure, such as a database that dies during a call, may not occur at the next
  /// start, so it counts as one for now.
  static int status(RuntimeException failure) {
    return failure instanceof CannotStart refusal && !refusal.isForNow() ? 1 : BROKEN_OFF;
  }

  /// The default port of downloads: the API's plus one, or any free one if the API's is.
  private static int next(int port) {
    return port == 0 ? 0 : port + 1;
  }

  /// The default data folder.
  static Path usualFolder() {
    @Nullable String state = System.getenv("XDG_STATE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".local", "state");
    return (state == null || state.isBlank() ? home : Path.of(state)).resolve("agent-sessions");
  }
}
