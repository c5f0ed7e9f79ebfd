package agentsessions.local;

import agentsessions.local.aws.LocalTable;
import agentsessions.local.process.RunnerCommand;
import com.google.common.collect.Iterables;
import com.google.common.util.concurrent.MoreExecutors;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The cleanup of deleted sessions' sandbox folders. A folder is removed when the sweep reports its
/// session, with retries until it is gone. At the start and every hour all folders are compared
/// with the table, which finds those whose report was lost.
///
/// The runner's code does the removal, in a process of its own, because it can remove folders that
/// agents have made unreadable.
final class SandboxCleanup implements AutoCloseable {
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final Duration COMPARE = Duration.ofHours(1);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);
  private static final int AT_ONCE = 500;
  private static final Logger log = LoggerFactory.getLogger(SandboxCleanup.class);

  private final Path sandboxes;
  private final RunnerCommand command;
  private final DynamoDbClient table;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leftovers").factory());

  /// Used by the timer's thread only.
  private final Set<String> gone = new TreeSet<>();

  SandboxCleanup(Path sandboxes, RunnerCommand command, DynamoDbClient table) {
    this.sandboxes = sandboxes;
    this.command = command;
    this.table = table;
  }

  void start() {
    every(COMPARE, this::compare);
    every(AGAIN, this::removeAll);
  }

  /// Schedules the removal of these sessions' folders.
  void remove(List<String> sessions) {
    if (!sessions.isEmpty()) {
      Future<?> _ =
          timer.submit(() -> {
            gone.addAll(sessions);
            removeAll();
          });
    }
  }

  @Override
  public void close() {
    boolean _ = MoreExecutors.shutdownAndAwaitTermination(timer, LONGEST_GOODBYE);
  }

  private void every(Duration period, Runnable work) {
    Future<?> _ = timer.scheduleWithFixedDelay(work, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void removeAll() {
    try {
      gone.removeIf(session -> !isThere(session));
      for (List<String> some : Iterables.partition(List.copyOf(gone), AT_ONCE)) {
        int _ = command.remove(some).start().waitFor();
      }
      gone.removeIf(session -> !isThere(session));
      if (!gone.isEmpty()) {
        log.atWarn()
            .addKeyValue("sessions", gone.size())
            .log("Folders of deleted sessions are left and tried again");
      }
    } catch (IOException | RuntimeException failed) {
      log.warn("Folders of deleted sessions are not removed now and tried again", failed);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /// The folders are listed before the sessions: a session is in the table before its folder
  /// exists, so one that begins in between is not taken for deleted.
  private void compare() {
    try {
      Set<String> left = folders();
      if (!left.isEmpty()) {
        left.removeAll(sessions());
        gone.addAll(left);
        removeAll();
      }
    } catch (IOException | RuntimeException failed) {
      log.warn("Sandboxes are not held against the table now", failed);
    }
  }

  private Set<String> folders() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(sandboxes, "[0-9a-f]*-*-*-*-*")) {
      all.forEach(folder -> names.add(folder.getFileName().toString()));
    }
    return names;
  }

  private Set<String> sessions() {
    Set<String> sessions = new HashSet<>();
    table
        .scanPaginator(scan ->
            scan.tableName(LocalTable.NAME)
                .consistentRead(true)
                .filterExpression("SK = :meta")
                .expressionAttributeValues(Map.of(":meta", AttributeValue.fromS("0#META")))
                .projectionExpression("PK"))
        .items()
        .forEach(item -> sessions.add(session(Objects.requireNonNull(item.get("PK")).s())));
    return sessions;
  }

  private static String session(String partition) {
    return partition.substring(partition.lastIndexOf('#') + 1);
  }

  private boolean isThere(String session) {
    return Files.exists(sandboxes.resolve(session), LinkOption.NOFOLLOW_LINKS);
  }
}
