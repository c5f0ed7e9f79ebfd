package agentsessions.chaos.kept;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// The data folder that version 0.1.0 left, as a zip, and what its API answered about it. Neither
/// holds a credential: a start makes its keys anew, and what was sealed with the old ones, such as
/// a webhook's secret, can no longer be opened. `KeptDataMaker` makes both.
final class KeptData {
  static final String FOLDER = "data-0.1.0.zip";
  static final String ANSWERS = "answers-0.1.0.json";

  private KeptData() {}

  /// Copies the folder to another, which must be empty.
  static void copy(Path to) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(resource(FOLDER))) {
      for (ZipEntry next = zip.getNextEntry(); next != null; next = zip.getNextEntry()) {
        Path file = to.resolve(next.getName());
        Files.createDirectories(requireNonNull(file.getParent()));
        Files.copy(zip, file);
      }
    }
  }

  /// The answers by their paths.
  static JsonNode answers() throws IOException {
    try (InputStream file = resource(ANSWERS)) {
      return Client.JSON.readTree(file);
    }
  }

  /// What the API answers at a path: without the service's address, and without the links to files,
  /// which are signed anew each time.
  static JsonNode answer(ServiceProcess service, Client client, String path) throws IOException {
    String body = client.get(path).expect(200).body();
    JsonNode answer =
        Client.JSON.readTree(body.replace(service.base().toString(), "").getBytes(UTF_8));
    for (JsonNode signed : answer.findParents("url_expires_at")) {
      ((ObjectNode) signed).remove(List.of("url", "url_expires_at"));
    }
    return answer;
  }

  private static InputStream resource(String name) {
    return requireNonNull(KeptData.class.getResourceAsStream(name), name);
  }
}
