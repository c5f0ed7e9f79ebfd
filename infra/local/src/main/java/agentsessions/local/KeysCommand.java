package agentsessions.local;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.DynamoDb;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.Keys;
import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Failures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.core.exception.SdkClientException;

/// The command behind scripts/keys: the API keys of a workspace, in the table that the environment
/// names. A new key is written to standard output, once; no secret is ever an argument.
@Command(
    name = "scripts/keys",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(create | list | revoke)",
    description = "The API keys of a workspace. A workspace exists once it has a key.")
public final class KeysCommand {
  /// Exit code 1 and one line on stderr if it cannot be done, 2 if it was not understood.
  public static void main(String[] arguments) {
    CommandLine command = new CommandLine(new KeysCommand());
    command.setExecutionExceptionHandler((failure, line, result) -> refused(failure));
    System.exit(command.execute(arguments));
  }

  @Command(description = "Prints a new key. Keep it: it cannot be shown again.")
  int create(
      @Option(names = "--workspace", required = true, paramLabel = "NAME") String workspace,
      @Option(names = "--days", paramLabel = "N", description = "It ends after so many days.")
          @Nullable Integer days) {
    Instant expiresAt = days == null ? null : Instant.now().plus(Duration.ofDays(days));
    @Nullable String usageId = System.getenv("USAGE_ID");
    Optional<ApiKey> key =
        usageId == null
            ? keys().create(workspace, expiresAt)
            : keys().create(workspace, expiresAt, usageId);
    key.map(ApiKey::text).ifPresent(System.out::println);
    return key.isPresent()
        ? 0
        : refused("workspace " + workspace + " has " + Keys.CAP + " live keys: revoke one first");
  }

  @Command(description = "Lists the live keys: id, created, ends.")
  void list(@Option(names = "--workspace", required = true, paramLabel = "NAME") String workspace) {
    for (KeyRecord key : keys().list(workspace)) {
      Instant ends = key.expiresAt();
      System.out.println(
          key.id() + "  " + key.createdAt() + "  " + (ends == null ? "never" : ends));
    }
  }

  @Command(description = "Ends a key, everywhere within a minute.")
  int revoke(
      @Option(names = "--workspace", required = true, paramLabel = "NAME") String workspace,
      @Parameters(paramLabel = "KEY_ID", description = "As list shows it.") String keyId) {
    return keys().revoke(workspace, keyId)
        ? 0
        : refused("workspace " + workspace + " has no key " + keyId);
  }

  private static Keys keys() {
    @Nullable String table = System.getenv("TABLE");
    if (table == null) {
      throw new CannotStart(
          "no service has run on this data folder. Start one: scripts/start; or name another: --data DIR");
    }
    return new Keys(DynamoDb.fromEnvironment(), table);
  }

  private static int refused(Exception failure) {
    String hint = failure instanceof SdkClientException ? "is the service running? " : "";
    return refused(hint + Failures.text(failure));
  }

  private static int refused(String reason) {
    System.err.println("Error: " + reason);
    return 1;
  }
}
