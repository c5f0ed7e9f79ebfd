package agentsessions.local.aws;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.Installation;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/// Tests of the database's process: after a kill it comes back on the same port with all
/// acknowledged writes; without its parent it ends.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DynamoDbLocalTest {
  private static final Installation INSTALLATION = Installation.find();

  private static final int LARGE_ITEMS = 16;
  private static final int READERS = 120;
  private static final int BUSY = 503;

  private static final String CHANGING = "changing";

  private static final AttributeValue NONE = AttributeValue.fromS("");

  @TempDir Path temp;

  private DynamoDbLocal database;

  @BeforeAll
  void start(@TempDir Path data) throws Exception {
    Path folder = Files.createDirectories(data.resolve("db"));
    database = new DynamoDbLocal(INSTALLATION, folder, data.resolve("log"));
    database.start();
    database.await();
  }

  @AfterAll
  void stop() {
    database.close();
  }

  @Test
  void aKillLosesNothingAcknowledged() throws Exception {
    Set<String> acknowledged = new ConcurrentSkipListSet<>();
    try (DynamoDbClient client =
        AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"))) {
      LocalTable.create(client, LocalTable.definition());
      LocalTable.create(client, LocalTable.definition());
      Thread writer = Thread.ofVirtual().start(() -> write(client, acknowledged));
      eventually(acknowledged::size, size -> size > 50);
      long first = database.pid();
      assertTrue(ProcessHandle.of(first).orElseThrow().destroyForcibly());
      int before = acknowledged.size();
      eventually(acknowledged::size, size -> size > before + 20);
      writer.interrupt();
      writer.join();
      assertTrue(first != database.pid());
      Set<String> found = new ConcurrentSkipListSet<>();
      client
          .scanPaginator(scan -> scan.tableName(LocalTable.NAME).consistentRead(true))
          .items()
          .forEach(item -> found.add(item.getOrDefault("PK", NONE).s()));
      acknowledged.removeAll(found);
      assertEquals(Set.of(), acknowledged);
    }
  }

  /// The definition of a table is kept from call to call, but not beyond a change.
  @Test
  void aTableThatIsMadeAnewHasItsNewKey() {
    try (DynamoDbClient client =
        AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"))) {
      for (String key : List.of("first", "second")) {
        Map<String, AttributeValue> item = Map.of(key, AttributeValue.fromS("x"));
        create(client, key);
        client.putItem(put -> put.tableName(CHANGING).item(item));
        assertEquals(item, client.getItem(get -> get.tableName(CHANGING).key(item)).item());
        client.deleteTable(delete -> delete.tableName(CHANGING));
        assertThrows(
            ResourceNotFoundException.class,
            () -> client.getItem(get -> get.tableName(CHANGING).key(item)));
      }
    }
  }

  private static void create(DynamoDbClient client, String key) {
    client.createTable(table ->
        table
            .tableName(CHANGING)
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(
                AttributeDefinition.builder()
                    .attributeName(key)
                    .attributeType(ScalarAttributeType.S)
                    .build())
            .keySchema(
                KeySchemaElement.builder().attributeName(key).keyType(KeyType.HASH).build()));
  }

  /// Reads as large as a page of a session's history.
  @Test
  void aCrowdOfLargeReadsIsServedInTurn() throws Exception {
    try (DynamoDbClient client =
        AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"))) {
      LocalTable.create(client, LocalTable.definition());
      for (int i = 0; i < LARGE_ITEMS; i++) {
        Map<String, AttributeValue> item =
            Map.of(
                "PK",
                AttributeValue.fromS("large"),
                "SK",
                AttributeValue.fromS("" + i),
                "text",
                AttributeValue.fromS("x".repeat(256 << 10)));
        client.putItem(put -> put.tableName(LocalTable.NAME).item(item));
      }
    }
    long before = database.pid();
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor();
        HttpClient http = HttpClient.newHttpClient()) {
      List<Future<Integer>> answers =
          Stream.generate(() -> readers.submit(() -> batch(http))).limit(READERS).toList();
      for (Future<Integer> answer : answers) {
        assertEquals(200, answer.get());
      }
    }
    assertEquals(before, database.pid());
  }

  private int batch(HttpClient http) throws IOException, InterruptedException {
    String keys =
        IntStream.range(0, LARGE_ITEMS)
            .mapToObj("{\"PK\":{\"S\":\"large\"},\"SK\":{\"S\":\"%d\"}}"::formatted)
            .collect(Collectors.joining(","));
    String body = "{\"RequestItems\":{\"%s\":{\"Keys\":[%s]}}}".formatted(LocalTable.NAME, keys);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(database.endpoint() + "/"))
            .header("X-Amz-Target", "DynamoDB_20120810.BatchGetItem")
            .header("Content-Type", "application/x-amz-json-1.0")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=LOCAL/20261121/us-east-1/dynamodb/aws4_request,"
                    + " SignedHeaders=host, Signature=0")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    return status == BUSY ? batch(http) : status; // as the service asks again
  }

  @Test
  void twoKillsWhileItComesUpAreOutlived() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("db"));
    try (DynamoDbLocal late = new DynamoDbLocal(INSTALLATION, folder, temp.resolve("log"))) {
      late.start();
      long first = killed(late.pid());
      long _ = killed(eventually(late::pid, pid -> pid != first));
      assertEquals(late, late.await());
    }
  }

  @Test
  void oneThatCannotComeUpIsGivenUpForNow() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("broken"));
    Files.createDirectories(folder.resolve(".lock")); // where its lock should be a file
    try (DynamoDbLocal broken = new DynamoDbLocal(INSTALLATION, folder, temp.resolve("log"))) {
      broken.start();
      assertTrue(assertThrows(CannotStart.class, broken::await).isForNow());
    }
  }

  private static long killed(long pid) {
    assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly());
    return pid;
  }

  @Test
  void onlyWhoKnowsItsAddressIsServedAndOnLoopbackOnly() throws Exception {
    URI root = database.endpoint().resolve("/");
    try (DynamoDbClient stranger = AwsProperties.dynamoDb(root, new Credentials("LOCAL", "x"))) {
      SdkServiceException refused =
          assertThrows(SdkServiceException.class, () -> stranger.listTables());
      assertEquals(403, refused.statusCode());
    }
    for (InetAddress address : addresses()) {
      assertThrows(ConnectException.class, () -> new Socket(address, root.getPort()).close());
    }
  }

  /// The addresses of this machine that others can reach; there may be none.
  private static List<InetAddress> addresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress())
        .toList();
  }

  @Test
  void aChildGoesWithItsParent() throws Exception {
    Process child = watched(temp.resolve("lock"));
    assertEquals("up", child.inputReader().readLine());
    child.getOutputStream().close(); // what the system does when the parent dies
    assertTrue(child.waitFor(1, TimeUnit.MINUTES));
    assertEquals(0, child.exitValue());
  }

  @Test
  void aNewChildWaitsUntilTheOldOneIsGone() throws Exception {
    Process old = watched(temp.resolve("lock"));
    assertEquals("up", old.inputReader().readLine());
    Process fresh = watched(temp.resolve("lock"));
    try {
      boolean _ = eventually(() -> isKeptWaiting(fresh), waits -> waits);
      assertFalse(fresh.inputReader().ready());
      old.destroyForcibly();
      assertEquals("up", fresh.inputReader().readLine());
    } finally {
      fresh.destroyForcibly();
    }
  }

  /// Whether a process waits for the lock of another one.
  private static boolean isKeptWaiting(Process process) throws IOException {
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.anyMatch(lock -> lock.matches(".* -> .* " + process.pid() + " .*"));
    }
  }

  private static Process watched(Path lock) throws Exception {
    URI own = Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    String classPath = INSTALLATION.dynamoDbClassPath() + File.pathSeparator + Path.of(own);
    return new ProcessBuilder(
            List.of(
                Installation.java(),
                "-Dagentsessions.lock=" + lock,
                "-cp",
                classPath,
                "agentsessions.local.dynamodb.ParentWatch",
                Sleeper.class.getName()))
        .start();
  }

  /// A program that reports its start and then sleeps.
  public static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.out.println("up");
      Thread.currentThread().join();
    }
  }

  private static void write(DynamoDbClient client, Set<String> acknowledged) {
    for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
      String key = "K" + i;
      try {
        client.putItem(put ->
            put.tableName(LocalTable.NAME)
                .item(Map.of("PK", AttributeValue.fromS(key), "SK", AttributeValue.fromS("0"))));
        acknowledged.add(key);
      } catch (SdkException e) {
        // Not acknowledged, so the write may have happened or not.
      }
    }
  }
}
