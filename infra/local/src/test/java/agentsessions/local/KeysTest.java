package agentsessions.local;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.Keys;
import agentsessions.local.aws.AwsProperties;
import agentsessions.local.aws.Credentials;
import agentsessions.local.aws.DynamoDbLocal;
import agentsessions.local.aws.Table;
import agentsessions.local.machine.Installation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The rules of keys against a real table.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysTest {
  private DynamoDbLocal database;
  private DynamoDbClient client;
  private Keys keys;
  private Authorizer authorizer;
  private final StringWriter said = new StringWriter();

  @BeforeAll
  void start(@TempDir Path temp) throws Exception {
    Path folder = Files.createDirectories(temp.resolve("db"));
    database = new DynamoDbLocal(Installation.find(), folder, temp.resolve("log"));
    database.start();
    database.await();
    client = AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"));
    Table.create(client, Table.definition());
    keys = new Keys(client, Table.NAME);
    authorizer = new Authorizer(client, Table.NAME);
  }

  @AfterAll
  void stop() {
    client.close();
    database.close();
  }

  @Test
  void aKeyOpensItsWorkspaceUntilItIsRevoked() {
    ApiKey key = keys.create("revoked", null).orElseThrow();
    assertEquals("revoked", authorizer.authenticate(header(key)).orElseThrow().workspace());
    assertFalse(keys.revoke("other", key.id()));
    assertTrue(authorizer.authenticate(header(key)).isPresent());
    assertTrue(keys.revoke("revoked", key.id()));
    assertTrue(keys.revoke("revoked", key.id()));
    assertEquals(Optional.empty(), authorizer.authenticate(header(key)));
    assertEquals(List.of(), keys.list("revoked"));
  }

  @Test
  void aWorkspaceHasAtMostFiveKeysHoweverManyAskAtOnce() throws Exception {
    Callable<Optional<ApiKey>> create = () -> keys.create("crowded", null);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Optional<ApiKey>>> created =
          IntStream.range(0, 20).mapToObj(i -> threads.submit(create)).toList();
      int successes = 0;
      for (Future<Optional<ApiKey>> one : created) {
        successes += one.get().isPresent() ? 1 : 0;
      }
      assertEquals(Keys.CAP, successes);
    }
    assertEquals(Keys.CAP, keys.list("crowded").size());
  }

  @Test
  void aRevokedKeyMakesRoom() {
    List<ApiKey> five = fill("revoking", null);
    assertEquals(Optional.empty(), keys.create("revoking", null));
    keys.revoke("revoking", five.getFirst().id());
    assertTrue(keys.create("revoking", null).isPresent());
  }

  @Test
  void anExpiredKeyIsRefusedAndMakesRoom() throws Exception {
    List<ApiKey> five = fill("expiring", Instant.now().plusSeconds(2));
    eventually(() -> authorizer.authenticate(header(five.getLast())), Optional::isEmpty);
    ApiKey fresh = keys.create("expiring", null).orElseThrow();
    assertEquals(List.of(fresh.id()), keys.list("expiring").stream().map(KeyRecord::id).toList());
  }

  @Test
  void theWorkspacesWithKeysAreListed() {
    keys.create("listed-b", null);
    ApiKey gone = keys.create("listed-gone", null).orElseThrow();
    keys.create("listed-a", null);
    keys.revoke("listed-gone", gone.id());
    assertEquals(
        List.of("listed-a", "listed-b"),
        keys.workspaces().stream().filter(name -> name.startsWith("listed-")).toList());
  }

  @Test
  void theCommandCreatesAndListsWithAHeader() {
    assertEquals(0, command("create", "--workspace", "shown", "--days", "2"));
    String key = said.toString().strip();
    assertEquals("shown", authorizer.authenticate("ApiKey " + key).orElseThrow().workspace());
    assertEquals(0, command("list", "--workspace", "shown"));
    assertTrue(said.toString().contains("KEY_ID "), said::toString);
    assertEquals(0, command("workspaces"));
    assertTrue(said.toString().contains("shown\n"), said::toString);
  }

  @Test
  void theCommandRefusesWhatWouldBeOfNoUse() {
    for (String days : List.of("0", "-1", "3651", "x")) {
      assertEquals(2, command("create", "--workspace", "refused", "--days=" + days));
    }
    assertEquals(List.of(), keys.list("refused"));
    assertEquals(1, command("list", "--workspace", "refused"));
    assertTrue(said.toString().contains("workspace refused has no live key"), said::toString);
    assertEquals(2, command("frobnicate"));
    assertTrue(said.toString().contains("There is no such command"), said::toString);
    assertEquals(0, command("--help"));
    assertTrue(said.toString().contains("--data DIR"), said::toString);
    assertEquals(0, command("--version"));
  }

  private int command(String... arguments) {
    said.getBuffer().setLength(0);
    PrintWriter writer = new PrintWriter(said, true);
    return new KeysCommand(() -> keys, writer, writer).command().execute(arguments);
  }

  private List<ApiKey> fill(String workspace, @Nullable Instant expiresAt) {
    return IntStream.range(0, Keys.CAP)
        .mapToObj(i -> keys.create(workspace, expiresAt).orElseThrow())
        .toList();
  }

  private static String header(ApiKey key) {
    return "ApiKey " + key.text();
  }
}
