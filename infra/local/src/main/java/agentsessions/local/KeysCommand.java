package agentsessions.local;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.DynamoDb;
import agentsessions.authorizer.Grant;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.Scope;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.local.front.KeyRevocations;
import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Failures;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;
import software.amazon.awssdk.core.exception.SdkClientException;

/// The command behind scripts/keys: creates, lists and revokes API keys in the table that the
/// environment names. A new key is printed once, on standard output; no secret is ever an argument.
@Command(
    name = "scripts/keys",
    mixinStandardHelpOptions = true,
    versionProvider = ServiceVersion.class,
    synopsisSubcommandLabel = "(create | list | revoke | workspaces | sign-in)",
    description = "The API keys of a workspace. A workspace exists once it has a key.",
    footer = {
      "",
      "With each command:",
      "  --data DIR     the folder of the service on this machine, as scripts/start --data; without it",
      "                 $XDG_STATE_HOME/agent-sessions, usually ~/.local/state/agent-sessions",
      "  --stack NAME   the keys of a stack deployed to AWS instead",
      "Without either, while AWS_ENDPOINT_URL leads to a LocalStack of scripts/localstack: those of the",
      "stack agent-sessions there. A new key is of the workspace local unless another is named, and",
      "scripts/chat uses it."
    })
public final class KeysCommand {
  private static final String OTHER_FOLDER =
      "scripts/start; or name the folder of the one that runs, which it printed as Data: --data DIR";

  private static final String ROW = "%-16s  %-20s  %-20s  %-20s  %-16s  %s%n";

  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH':xxZ'").withZone(ZoneOffset.UTC);

  /// Not to decide: that is named by itself.
  private static final Set<Scope> ADMIN = Set.of(Scope.READ, Scope.WRITE, Scope.ADMIN);

  private final Supplier<WorkspaceKeys> keys;
  private final @Nullable Path data;
  private final PrintWriter out;
  private final PrintWriter errors;

  /// @param data the service's data folder; null if the service is not on this machine
  KeysCommand(
      Supplier<WorkspaceKeys> keys, @Nullable Path data, PrintWriter out, PrintWriter errors) {
    this.keys = keys;
    this.data = data;
    this.out = out;
    this.errors = errors;
  }

  /// Exits with 1 and one line on stderr if the command fails, with 2 if its arguments are wrong.
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter errors = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(
        new KeysCommand(() -> keysOf(System.getenv()), dataOfEnvironment(), out, errors)
            .command()
            .execute(arguments));
  }

  CommandLine command() {
    return new CommandLine(this)
        .setOut(out)
        .setErr(errors)
        .setUsageHelpWidth(100)
        .setExecutionExceptionHandler((failure, line, result) -> refused(failure))
        .setParameterExceptionHandler((mistake, arguments) -> misunderstood(mistake));
  }

  @Command(description = "Prints a new key. Keep it: it cannot be shown again.")
  int create(
      @Option(
              names = "--workspace",
              required = true,
              paramLabel = "NAME",
              description = "Whose keys.")
          String workspace,
      @Option(
              names = "--days",
              paramLabel = "N",
              converter = KeyArguments.Days.class,
              description = "It ends after so many days (1 to 3650).")
          @Nullable Duration days,
      @Option(
              names = "--name",
              paramLabel = "TEXT",
              defaultValue = "scripts/keys",
              description = "What people know it by.")
          String name,
      @Option(
              names = "--scopes",
              paramLabel = "LIST",
              hideParamSyntax = true,
              split = ",",
              defaultValue = "read,write",
              converter = KeyArguments.ScopeName.class,
              description =
                  "What it may be used for: of read, write, admin, decide; read,write by default.")
          List<Scope> scopes,
      @Option(
              names = "--admin",
              description = "For read, write and admin: it can make keys and secrets, too.")
          boolean admin) {
    @Nullable Instant expiresAt =
        days == null ? null : Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(days);
    Grant grant = new Grant(name, admin ? ADMIN : EnumSet.copyOf(scopes), expiresAt);
    String usageId =
        Objects.requireNonNullElseGet(System.getenv("USAGE_ID"), WorkspaceKeys::freshUsageId);
    Optional<ApiKey> key = keys.get().create(workspace, grant, usageId);
    key.map(ApiKey::text).ifPresent(out::println);
    return key.isPresent()
        ? 0
        : refused(
            "workspace "
                + workspace
                + " has "
                + WorkspaceKeys.CAP
                + " live keys: revoke one first");
  }

  @Command(
      description =
          "Lists the live keys, the oldest first. Of the last use only the hour is known.")
  int list(
      @Option(
              names = "--workspace",
              required = true,
              paramLabel = "NAME",
              description = "Whose keys.")
          String workspace) {
    Instant now = Instant.now();
    List<KeyRecord> live =
        keys.get().list(workspace).stream().filter(key -> key.isLive(now)).toList().reversed();
    if (live.isEmpty()) {
      return refused(
          "workspace "
              + workspace
              + " has no live key (scripts/keys workspaces lists those that have)");
    }
    out.printf(ROW, "KEY_ID", "CREATED", "ENDS", "LAST_USED", "SCOPES", "NAME");
    live.forEach(this::print);
    return 0;
  }

  @Command(description = "Lists the workspaces that have keys. Of a large table it reads all.")
  int workspaces() {
    keys.get().workspaces().forEach(out::println);
    return 0;
  }

  @Command(description = "Ends a key: on this machine at once, on AWS within a minute.")
  int revoke(
      @Option(
              names = "--workspace",
              required = true,
              paramLabel = "NAME",
              description = "Whose keys.")
          String workspace,
      @Parameters(paramLabel = "KEY_ID", description = "As list shows it.") String keyId) {
    if (!keys.get().end(workspace, keyId)) {
      return refused("workspace " + workspace + " has no key " + keyId);
    }
    try {
      if (data != null) {
        KeyRevocations.tell(data);
      }
      return 0;
    } catch (UncheckedIOException untold) {
      return refused(
          "the key has ended, but the service could not be told, so it may let the key pass for"
              + " another minute: "
              + Failures.text(untold));
    }
  }

  @Command(
      name = "sign-in",
      description = {
        "Prints a link that signs in to the console of this machine: once, within five minutes.",
        "The key that the console had from the link before ends then."
      })
  int signIn() {
    if (data == null) {
      return refused("a link signs in on one machine only. On AWS make a key, and paste it there");
    }
    List<KeyRecord> _ = keys.get().list(LocalService.WORKSPACE); // fails if no service runs
    String url = DataFolder.secret(data.resolve(LocalService.URL_FILE)).orElseThrow();
    URI service = URI.create(url.replaceFirst("/rest/v1$", ""));
    out.println(ConsoleKeys.link(service, ConsoleKeys.another(data)));
    return 0;
  }

  private void print(KeyRecord key) {
    out.printf(
        ROW,
        key.id(),
        key.createdAt().truncatedTo(ChronoUnit.SECONDS),
        Objects.requireNonNullElse(key.grant().expiresAt(), "never"),
        Optional.ofNullable(key.lastUsedAt()).map(HOUR::format).orElse("never"),
        Scope.texts(key.grant().scopes()).replace(' ', ','),
        key.grant().name());
  }

  private static @Nullable Path dataOfEnvironment() {
    @Nullable String data = System.getenv("SERVICE_DATA");
    return data == null ? null : Path.of(data);
  }

  static WorkspaceKeys keysOf(Map<String, String> environment) {
    @Nullable String table = environment.get("TABLE");
    if (table == null) {
      throw new CannotStart(
          "no service has run on the data folder "
              + environment.getOrDefault("SERVICE_DATA", "")
              + ". Start one: "
              + OTHER_FOLDER);
    }
    return new WorkspaceKeys(DynamoDb.fromEnvironment(), table);
  }

  /// A database that does not answer means, on this machine, that the service is not running. On
  /// AWS it has another cause, so there the SDK's own message is shown.
  private int refused(Exception failure) {
    return failure instanceof SdkClientException && data != null
        ? refused(
            "the service of the data folder " + data + " is not running. Start it: " + OTHER_FOLDER)
        : refused(Failures.text(failure));
  }

  private int refused(String reason) {
    errors.println("Error: " + reason);
    return 1;
  }

  private int misunderstood(ParameterException mistake) {
    boolean isCommand =
        mistake instanceof UnmatchedArgumentException
            && mistake.getCommandLine().getCommand() == this;
    String text =
        isCommand
            ? "There is no such command. There are create, list, revoke, workspaces and sign-in"
            : String.valueOf(mistake.getMessage());
    errors.println("Error: " + text);
    errors.println("See scripts/keys --help");
    return 2;
  }
}
