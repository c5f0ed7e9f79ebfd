package agentsessions.chaos.kept;

import static java.util.Objects.requireNonNull;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.talk.WebhookReceiver;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Makes the kept data by a run of this tree's service: `scripts/test KeptDataMaker`. No part of
/// the proof runs it. Of the folder it takes what has no credential; of the key that it used the
/// table has only a hash.
final class KeptDataMaker {
  static final String FOLLOWED_UP = "Followed up";

  private static final Path RESOURCES = Path.of("src/main/resources/agentsessions/chaos/kept");
  private static final List<String> TAKEN = List.of("format", "dynamodb", "objects", "sandboxes");
  private static final List<String> OF_SANDBOX =
      List.of("work", "home", "captured.json", "session", "used");
  private static final String NOWHERE = "https://hooks.example.org/kept";

  @TempDir private Path folder;

  @Test
  void make() throws Exception {
    try (WebhookReceiver receiver = new WebhookReceiver(Duration.ofMinutes(1));
        ServiceProcess service = new ServiceProcess(folder, Map.of(), List.of("--allow-private"))) {
      service.await();
      Client client = service.client().patient();
      List<String> paths = settings(client);
      JsonNode webhook = client.post("/webhooks", Map.of("url", receiver.url())).expect(201).json();
      paths.addAll(sessions(client));
      receiver.await(1, "thread.cancelled");
      String path = "/webhooks/" + webhook.path("id").asText();
      JsonNode _ = client.patch(path, Map.of("url", NOWHERE, "is_enabled", false)).ok();
      ObjectNode answers = Client.JSON.createObjectNode();
      for (String each : paths) {
        answers.set(each, KeptData.answer(service, client, each));
      }
      Files.writeString(RESOURCES.resolve(KeptData.ANSWERS), answers.toPrettyString() + "\n");
    }
    zip();
  }

  private static List<String> settings(Client client) {
    Map<String, Object> secret = Map.of("value", "gone", "hosts", List.of("git.example.org"));
    client.put("/secrets/KEPT_TOKEN", secret).expect(204);
    client.put("/limits", Map.of("max_cost_usd_per_month", 500)).expect(200);
    return new ArrayList<>(List.of("/secrets", "/limits", "/webhooks"));
  }

  private static List<String> sessions(Client client) {
    Map<String, Object> titled = Map.of("title", FOLLOWED_UP, "metadata", Map.of("of", "kept"));
    SessionHandle followed = client.create("printf one > kept.txt; echo done", titled);
    String _ = followed.first().completed();
    String _ = followed.send("echo a plan > PLAN.md; cat kept.txt").completed();
    SessionHandle failed = client.create("echo no >&2; exit 3");
    String _ = failed.first().failure();
    SessionHandle archived = client.create("echo old");
    String _ = archived.first().completed();
    JsonNode _ = client.patch(archived.path(), Map.of("is_archived", true)).ok();
    SessionHandle cancelled = client.create("echo begun; exec sleep 600");
    TurnHandle running = cancelled.first().running();
    client.post(cancelled.path() + "/interrupt", Map.of()).expect(200);
    JsonNode _ = running.ended();
    List<String> paths = new ArrayList<>(List.of("/sessions", "/sessions?archived=true"));
    for (SessionHandle one : List.of(followed, failed, archived, cancelled)) {
      Stream.of("", "/threads", "/messages", "/artifacts")
          .map(one.path()::concat)
          .forEach(paths::add);
    }
    return paths;
  }

  private void zip() throws IOException {
    try (ZipOutputStream zip =
            new ZipOutputStream(Files.newOutputStream(RESOURCES.resolve(KeptData.FOLDER)));
        Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(this::isTaken).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
        zip.write(Files.readAllBytes(file));
      }
    }
  }

  /// Each start makes anew what a sandbox consists of beside its files, with this machine's paths.
  private boolean isTaken(Path file) {
    Path path = folder.relativize(file);
    String first = requireNonNull(path.getName(0)).toString();
    return Files.isRegularFile(file)
        && TAKEN.contains(first)
        && (!first.equals("sandboxes") || OF_SANDBOX.contains(path.getName(2).toString()));
  }
}
