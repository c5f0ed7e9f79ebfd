package agentsessions.bench;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.local.aws.LocalTable;
import agentsessions.local.machine.Installation;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.google.common.collect.Lists;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/// A data folder with 10,000 sessions of one turn each, and a home of opencode with as many, kept
/// in the cache folder from run to run, since it takes minutes to write them. Its name is a sum of
/// what it depends on: another one is made when that changes, and the old one removed.
///
/// @param folder has `data`, `home`, and the empty `project` that opencode's sessions belong to
record ManySessions(Path folder) {
  static final String WORKSPACE = "many";
  private static final int COUNT = 10_000;
  private static final int AT_ONCE = 4;

  /// Sessions in a batch of at most 25 items.
  private static final int BATCH = 2;

  /// A session that the service has played, so that its copies are as the service stores them.
  ///
  /// @param items all that are about it
  private record Played(String session, String turn, List<Map<String, AttributeValue>> items) {
    static Played by(ServiceProcess service) throws IOException {
      Client client = service.client(WORKSPACE, 1).patient();
      SessionHandle session = client.create("echo done");
      String _ = session.first().completed();
      return new Played(session.id(), session.first().id(), items(service, session.id()));
    }

    /// The items of a session once its turn is settled.
    private static List<Map<String, AttributeValue>> items(ServiceProcess service, String session)
        throws IOException {
      try (DynamoDbClient table = service.table()) {
        return Await.await("a settled turn", Duration.ofMinutes(1), Duration.ofMillis(100))
            .until(
                () ->
                    table.scan(scan -> scan.tableName(LocalTable.NAME)).items().stream()
                        .filter(item -> item.toString().contains(session))
                        .toList(),
                all -> all.stream().noneMatch(item -> item.containsKey("LIVE")));
      }
    }

    Stream<Map<String, AttributeValue>> copy(int number) {
      return items.stream().map(item -> copy(item, number));
    }

    private Map<String, AttributeValue> copy(Map<String, AttributeValue> item, int number) {
      Map<String, AttributeValue> copy = new HashMap<>(item);
      for (String id : List.of(session, turn)) {
        copy.replaceAll((_, value) ->
            value.s() == null
                ? value
                : AttributeValue.fromS(value.s().replace(id, copy(id, number))));
      }
      return copy;
    }

    static String copy(String id, int number) {
      return "%s%06x".formatted(id.substring(0, id.length() - 6), number);
    }
  }

  /// The kept folder; makes it if absent.
  ///
  /// @param data a folder for what is made on the way
  static ManySessions kept(Path data) throws Exception {
    ManySessions many = new ManySessions(cache().resolve(name()));
    if (Files.notExists(many.folder.resolve("data"))) {
      many.make(data);
    }
    return many;
  }

  /// A copy of a part of the kept folder, to be used up.
  Path copy(String part, Path to) throws Exception {
    Files.createDirectories(to);
    run("cp", "-a", folder.resolve(part) + "/.", to.toString());
    return to;
  }

  /// The folder in which opencode must be started: it lists the sessions of that folder only.
  Path project() {
    return folder.resolve("project");
  }

  private static Path cache() {
    return Path.of(System.getProperty("agentsessions.cache"), "sessions");
  }

  /// The sources of the table's layout, its definition, and opencode's version.
  private static String name() throws IOException {
    Path root = Installation.find().root();
    List<String> parts = new ArrayList<>(List.of(COUNT + LocalTable.definition().toString()));
    parts.add(Files.readString(root.resolve("infra/agents/opencode/package-lock.json")));
    try (Stream<Path> sources =
        Files.walk(root.resolve("functions/service/src/main/java/agentsessions/table"))) {
      for (Path source : sources.filter(Files::isRegularFile).sorted().toList()) {
        parts.add(Files.readString(source));
      }
    }
    return Integer.toHexString(parts.hashCode());
  }

  private void make(Path data) throws Exception {
    System.out.println("Writing 10,000 sessions, which are kept; this once, it takes minutes ...");
    Path written = data.resolve("written");
    String session;
    try (ServiceProcess service = new ServiceProcess(written, Map.of())) {
      service.await();
      Played played = Played.by(service);
      session = played.session;
      write(service, played);
      service.interrupt();
    }
    keep(written, session);
  }

  private static void write(ServiceProcess service, Played played) throws Exception {
    try (DynamoDbClient table = service.table();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> all = new ArrayList<>();
      for (List<Integer> some :
          Lists.partition(IntStream.range(0, COUNT).boxed().toList(), BATCH)) {
        all.add(threads.submit(() -> write(table, some.stream().flatMap(played::copy).toList())));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void write(DynamoDbClient table, List<Map<String, AttributeValue>> items) {
    List<WriteRequest> writes =
        items.stream()
            .map(item -> WriteRequest.builder().putRequest(put -> put.item(item)).build())
            .toList();
    if (!table
        .batchWriteItem(batch -> batch.requestItems(Map.of(LocalTable.NAME, writes)))
        .unprocessedItems()
        .isEmpty()) {
      throw new AssertionError("the database wrote less than it was given");
    }
  }

  /// Keeps what is no credential of the folder that was written.
  private void keep(Path written, String session) throws Exception {
    run("rm", "-rf", cache().toString());
    Path fresh = folder.resolve("new");
    for (Path part : List.of(fresh, folder.resolve("home"), project())) {
      Files.createDirectories(part);
    }
    OpencodeServer.fill(folder.resolve("home"), project(), COUNT);
    for (String part : List.of("format", "dynamodb")) {
      run("cp", "-a", written.resolve(part).toString(), fresh.toString());
    }
    folders(fresh.resolve("sandboxes"), session);
    Files.move(fresh, folder.resolve("data")); // last: it says that all is there
  }

  /// Of a sandbox only the file that says whose it is.
  private static void folders(Path sandboxes, String session) throws IOException {
    for (int i = 0; i < COUNT; i++) {
      String copy = Played.copy(session, i);
      Path one = Files.createDirectories(sandboxes.resolve(copy));
      Files.writeString(one.resolve("session"), WORKSPACE + "/" + copy);
    }
  }

  private static void run(String... line) throws Exception {
    int status = new ProcessBuilder(line).inheritIO().start().waitFor();
    if (status != 0) {
      throw new AssertionError(String.join(" ", line) + " ended with " + status);
    }
  }
}
