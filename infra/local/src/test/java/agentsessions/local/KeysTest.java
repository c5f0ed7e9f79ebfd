package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.Grant;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.KeyTable;
import agentsessions.authorizer.Scope;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.local.aws.AwsProperties;
import agentsessions.local.aws.Credentials;
import agentsessions.local.aws.DynamoDbLocal;
import agentsessions.local.aws.LocalTable;
import agentsessions.local.front.SignIn;
import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Installation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Tests of the API keys' rules, against a real table.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysTest {
  private @TempDir Path data;
  private DynamoDbLocal database;
  private DynamoDbClient client;
  private WorkspaceKeys keys;
  private Authorizer authorizer;
  private final StringWriter said = new StringWriter();

  @BeforeAll
  void start(@TempDir Path temp) throws Exception {
    Path folder = Files.createDirectories(temp.resolve("db"));
    database = new DynamoDbLocal(Installation.find(), folder, temp.resolve("log"));
    database.start();
    database.await();
    client = AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"));
    LocalTable.create(client, LocalTable.definition());
    keys = new WorkspaceKeys(client, LocalTable.NAME);
    authorizer = new Authorizer(new KeyTable(client, LocalTable.NAME));
  }

  @AfterAll
  void stop() {
    client.close();
    database.close();
  }

  @Test
  void aKeyOpensItsWorkspaceUntilItIsRevoked() {
    ApiKey key = create("revoked", null).orElseThrow();
    assertEquals("revoked", authorizer.authenticate(header(key)).orElseThrow().workspace());
    assertFalse(keys.end("other", key.id()));
    assertTrue(authorizer.authenticate(header(key)).isPresent());
    assertTrue(keys.end("revoked", key.id()));
    assertTrue(keys.end("revoked", key.id()));
    assertEquals(Optional.empty(), authorizer.authenticate(header(key)));
    KeyRecord ended = keys.list("revoked").getFirst();
    assertEquals(key.id(), ended.id());
    assertNotNull(ended.revokedAt());
  }

  @Test
  void aWorkspaceHasAtMostFiftyKeysHoweverManyAskAtOnce() throws Exception {
    for (int number = 0; number < WorkspaceKeys.CAP - 5; number++) {
      assertTrue(create("crowded", null).isPresent());
    }
    assertEquals(5, succeeded(20, () -> create("crowded", null).isPresent()));
    assertEquals(WorkspaceKeys.CAP, live("crowded").size());
    keys.end("crowded", live("crowded").getFirst());
    assertTrue(create("crowded", null).isPresent());
  }

  @Test
  void anExpiredKeyIsRefusedAndMakesRoom() {
    Instant end = Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
    List<ApiKey> fifty =
        IntStream.range(0, WorkspaceKeys.CAP)
            .mapToObj(_ -> create("expiring", end).orElseThrow())
            .toList();
    assertEquals(Optional.empty(), create("expiring", null));
    fifty.forEach(key -> pass(end, key));
    assertEquals(Optional.empty(), authorizer.authenticate(header(fifty.getLast())));
    ApiKey fresh = create("expiring", null).orElseThrow();
    assertEquals(List.of(fresh.id()), live("expiring"));
    assertEquals(WorkspaceKeys.CAP + 1, keys.list("expiring").size());
  }

  /// Records a use of a key in an hour.
  private void use(String id, Instant hour) {
    client.updateItem(update ->
        update
            .tableName(LocalTable.NAME)
            .key(item(id))
            .updateExpression("SET last_used_at = :hour")
            .expressionAttributeValues(Map.of(":hour", seconds(hour))));
  }

  private static Map<String, AttributeValue> item(String id) {
    return Map.of("PK", AttributeValue.fromS("KEY#" + id), "SK", AttributeValue.fromS("0"));
  }

  /// Lets a key expire, by setting its expiry to a second ago.
  private void pass(Instant end, ApiKey key) {
    client.updateItem(update ->
        update
            .tableName(LocalTable.NAME)
            .key(item(key.id()))
            .updateExpression("SET ends_at = :past")
            .conditionExpression("ends_at = :end")
            .expressionAttributeValues(
                Map.of(":end", seconds(end), ":past", seconds(Instant.now().minusSeconds(1)))));
  }

  private static AttributeValue seconds(Instant time) {
    return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
  }

  @Test
  void theLastKeyThatAdministersIsNotRevokedHoweverManyAskAtOnce() throws Exception {
    List<String> admins =
        IntStream.range(0, 8).mapToObj(_ -> create("admins", null).orElseThrow().id()).toList();
    assertTrue(create("admins", Instant.now().plusSeconds(3600)).isPresent()); // ends too soon
    assertTrue(keys.signIn("admins", Instant.now().plus(WorkspaceKeys.SIGNED_IN)).isPresent());
    Iterator<String> next = List.copyOf(admins).iterator();
    Callable<Boolean> revoke =
        () -> {
          String id;
          synchronized (next) {
            id = next.next();
          }
          return keys.revoke("admins", id, id) == WorkspaceKeys.Revocation.REVOKED;
        };
    assertEquals(7, succeeded(8, revoke));
    String last = live("admins").stream().filter(admins::contains).findFirst().orElseThrow();
    assertEquals(WorkspaceKeys.Revocation.LAST_ADMIN, keys.revoke("admins", last, last));
    assertEquals(WorkspaceKeys.Revocation.NO_SUCH_KEY, keys.revoke("admins", "nobody", last));
    assertTrue(keys.end("admins", last));
  }

  @Test
  void whoSignsInAgainReplacesTheKeyOfBefore() {
    Instant end = Instant.now().plus(WorkspaceKeys.SIGNED_IN);
    ApiKey first = keys.signIn("signed", end).orElseThrow();
    ApiKey second = keys.signIn("signed", end).orElseThrow();
    assertEquals(Optional.empty(), authorizer.authenticate(header(first)));
    assertEquals(Scope.all(), authorizer.authenticate(header(second)).orElseThrow().scopes());
    assertEquals(List.of(second.id()), live("signed"));
  }

  @Test
  void theWorkspacesWithKeysAreListed() {
    create("listed-b", null);
    ApiKey gone = create("listed-gone", null).orElseThrow();
    create("listed-a", null);
    keys.end("listed-gone", gone.id());
    assertEquals(
        List.of("listed-a", "listed-b"),
        keys.workspaces().stream().filter(name -> name.startsWith("listed-")).toList());
  }

  @Test
  void theCommandCreatesAndListsWithAHeader() {
    assertEquals(0, command("create", "--workspace", "shown", "--days", "2"));
    String key = said.toString().strip();
    assertEquals("shown", authorizer.authenticate("ApiKey " + key).orElseThrow().workspace());
    assertEquals(0, command("create", "--workspace", "shown", "--scopes=read", "--name=Ada"));
    assertEquals(
        Set.of(Scope.READ),
        authorizer.authenticate("ApiKey " + said.toString().strip()).orElseThrow().scopes());
    assertEquals(0, command("create", "--workspace", "shown", "--admin"));
    assertEquals(0, command("create", "--workspace", "shown", "--scopes=read,decide"));
    use(key.split("_", 3)[1], Instant.parse("2026-11-24T06:00:00Z"));
    assertEquals(0, command("list", "--workspace", "shown"));
    for (String part :
        List.of("  read,write  ", "  read  ", "  read,write,admin  ", "  read,decide  ", "Ada")) {
      assertTrue(said.toString().contains(part.stripTrailing()), said::toString);
    }
    List<String> rows = said.toString().lines().toList();
    assertEquals(5, rows.size());
    rows.forEach(row -> assertEquals(columns(rows.getFirst()), columns(row), said::toString));
    assertTrue(rows.get(1).contains(" 2026-11-24T06:xxZ "), said::toString);
    assertEquals(0, command("workspaces"));
    assertTrue(said.toString().contains("shown\n"), said::toString);
  }

  @Test
  void aLinkThatIsAskedForSignsInOnceAndReplacesTheOneBefore() throws Exception {
    Files.writeString(data.resolve("base-url"), "http://127.0.0.1:8080/rest/v1\n");
    ConsoleKeys console = new ConsoleKeys(keys, data);
    String replaced = askedFor();
    String code = askedFor();
    assertEquals(
        PosixFilePermissions.fromString("rw-------"),
        Files.getPosixFilePermissions(data.resolve("sign-in")));
    assertFalse(console.redeem(replaced));
    assertFalse(console.redeem(""));
    assertTrue(console.redeem(code));
    assertFalse(console.redeem(code));
    String late = askedFor();
    Files.setLastModifiedTime(
        data.resolve("sign-in"), FileTime.from(Instant.now().minus(SignIn.GOOD_FOR)));
    assertFalse(console.redeem(late));
  }

  private String askedFor() {
    assertEquals(0, command("sign-in"));
    String link = said.toString().strip();
    assertTrue(link.startsWith("http://127.0.0.1:8080/console/#sign-in="), link);
    return link.split("=", 2)[1];
  }

  @Test
  void theCommandRefusesWhatWouldBeOfNoUse() {
    for (String days : List.of("0", "-1", "3651", "x")) {
      assertEquals(2, command("create", "--workspace", "refused", "--days=" + days));
    }
    assertEquals(2, command("create", "--workspace", "refused", "--scopes", "all"));
    assertEquals(List.of(), keys.list("refused"));
    assertEquals(1, command("list", "--workspace", "refused"));
    assertTrue(said.toString().contains("workspace refused has no live key"), said::toString);
    assertEquals(2, command("frobnicate"));
    assertTrue(said.toString().contains("There is no such command"), said::toString);
    assertEquals(0, command("--help"));
    assertTrue(said.toString().contains("--data DIR"), said::toString);
    assertEquals(0, command("--version"));
  }

  /// The positions at which columns begin; two or more blanks separate them.
  private static List<Integer> columns(String row) {
    return Pattern.compile("(?<=^|  )\\S").matcher(row).results().map(MatchResult::start).toList();
  }

  @Test
  void whoFindsNoServiceIsToldInWhichFolder() {
    StringWriter errors = new StringWriter();
    PrintWriter writer = new PrintWriter(errors, true);
    KeysCommand command =
        new KeysCommand(
            () -> {
              throw SdkClientException.create("refused");
            },
            data,
            writer,
            writer);
    assertEquals(1, command.command().execute("workspaces"));
    assertTrue(errors.toString().contains("of the data folder " + data + " is"), errors::toString);
    assertTrue(errors.toString().contains("--data DIR"), errors::toString);
    Map<String, String> nothing = Map.of("SERVICE_DATA", data.toString());
    CannotStart refusal = assertThrows(CannotStart.class, () -> KeysCommand.keysOf(nothing));
    String said = String.valueOf(refusal.getMessage());
    assertTrue(said.startsWith("no service has run on the data folder " + data + ". "), said);
  }

  private int command(String... arguments) {
    said.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(said, true);
    return new KeysCommand(() -> keys, data, writer, writer).command().execute(arguments);
  }

  private Optional<ApiKey> create(String workspace, @Nullable Instant expiresAt) {
    return keys.create(workspace, new Grant("a", Scope.all(), expiresAt));
  }

  private List<String> live(String workspace) {
    Instant now = Instant.now();
    return keys.list(workspace).stream().filter(key -> key.isLive(now)).map(KeyRecord::id).toList();
  }

  /// The number of successes among concurrent attempts.
  private static int succeeded(int times, Callable<Boolean> attempt) throws Exception {
    int successes = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all =
          IntStream.range(0, times).mapToObj(_ -> threads.submit(attempt)).toList();
      for (Future<Boolean> one : all) {
        successes += one.get() ? 1 : 0;
      }
    }
    return successes;
  }

  private static String header(ApiKey key) {
    return "ApiKey " + key.text();
  }
}
