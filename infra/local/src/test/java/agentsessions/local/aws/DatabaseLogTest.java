package agentsessions.local.aws;

import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// Tests of how the database's file is written: with a log where it can have one, and no
/// transaction is acknowledged that is not in it.
class DatabaseLogTest {
  private static final Installation INSTALLATION = Installation.find();

  /// The byte of an SQLite file that says how it is written, and its values.
  private static final int WRITTEN = 18;

  private static final byte WITHOUT_LOG = 1;
  private static final byte WITH_LOG = 2;

  /// The byte of the index of SQLite's log by which its one writer keeps out others.
  private static final long WRITE_LOCK = 120;

  @TempDir Path data;
  private Path folder;
  private Path file;
  private Path index;

  @BeforeEach
  void folder() throws IOException {
    folder = Files.createDirectories(data.resolve("db"));
    file = folder.resolve("shared-local-instance.db");
    index = folder.resolve("shared-local-instance.db-shm");
  }

  @Test
  void aFileWithoutALogGetsOneWhereItCanAndKeepsIt() throws Exception {
    Files.createDirectories(index); // where the log's index should be a file
    assertWritten("first", WITHOUT_LOG);
    Files.delete(index);
    assertWritten("second", WITH_LOG);
    assertWritten("third", WITH_LOG);
    try (DynamoDbLocal database = started()) {
      assertEquals(
          Set.of("first 1", "first 2", "second 1", "second 2", "third 1", "third 2"),
          found(database));
    }
  }

  /// Starts the database, lets it write, and kills it.
  private void assertWritten(String name, byte how) throws Exception {
    try (DynamoDbLocal database = started()) {
      transact(database, name);
      assertEquals(how, Files.readAllBytes(file)[WRITTEN]);
      assertEquals(how == WITH_LOG, Files.exists(folder.resolve(file.getFileName() + "-wal")));
      assertTrue(ProcessHandle.of(database.pid()).orElseThrow().destroyForcibly());
    }
  }

  /// As on a full disk: the log cannot grow by the last step of a transaction, which is the only
  /// one that writes.
  @Test
  void aTransactionThatCannotBeCommittedIsNotAcknowledged() throws Exception {
    try (DynamoDbLocal database = started()) {
      transact(database, "before");
      limit(database, Long.toString(Files.size(folder.resolve(file.getFileName() + "-wal"))));
      assertThrows(SdkException.class, () -> transact(database, "without room"));
      assertEquals(Set.of("before 1", "before 2"), found(database));
      limit(database, "unlimited");
      transact(database, "after");
      assertEquals(Set.of("before 1", "before 2", "after 1", "after 2"), found(database));
    }
  }

  /// Sets the largest size to which a process may write a file.
  private static void limit(DynamoDbLocal database, String bytes) throws Exception {
    Process limit =
        new ProcessBuilder(
                "prlimit", "--pid", Long.toString(database.pid()), "--fsize=" + bytes + ":")
            .inheritIO()
            .start();
    assertEquals(0, limit.waitFor());
  }

  /// A lock on the log keeps its writer out.
  @Test
  void aTransactionThatCannotBeWrittenIsNotAcknowledged() throws Exception {
    try (DynamoDbLocal database = started()) {
      try (FileChannel log = FileChannel.open(index, WRITE);
          FileLock lock = log.lock(WRITE_LOCK, 1, false)) {
        assertThrows(SdkException.class, () -> transact(database, "while locked"));
        assertTrue(lock.isValid());
      }
      transact(database, "after it");
      assertEquals(Set.of("after it 1", "after it 2"), found(database));
    }
  }

  private DynamoDbLocal started() throws InterruptedException {
    DynamoDbLocal database = new DynamoDbLocal(INSTALLATION, folder, data.resolve("log"));
    database.start();
    database.await();
    try (DynamoDbClient client = client(database)) {
      LocalTable.create(client, LocalTable.definition());
    }
    return database;
  }

  private static DynamoDbClient client(DynamoDbLocal database) {
    return AwsProperties.dynamoDb(database.endpoint(), new Credentials("LOCAL", "x"));
  }

  private static void transact(DynamoDbLocal database, String name) {
    try (DynamoDbClient client = client(database)) {
      client.transactWriteItems(transaction ->
          transaction.transactItems(
              Stream.of(name + " 1", name + " 2")
                  .map(key ->
                      Map.of("PK", AttributeValue.fromS(key), "SK", AttributeValue.fromS("-")))
                  .map(item ->
                      TransactWriteItem.builder()
                          .put(put -> put.tableName(LocalTable.NAME).item(item))
                          .build())
                  .toList()));
    }
  }

  private static Set<String> found(DynamoDbLocal database) {
    try (DynamoDbClient client = client(database)) {
      return client
          .scanPaginator(scan -> scan.tableName(LocalTable.NAME).consistentRead(true))
          .items()
          .stream()
          .map(item -> item.getOrDefault("PK", AttributeValue.fromS("")).s())
          .collect(Collectors.toSet());
    }
  }
}
