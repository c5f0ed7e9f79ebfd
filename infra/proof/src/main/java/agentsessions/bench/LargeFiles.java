package agentsessions.bench;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The times of a file of 1 GiB: put by a client, brought into a session by a message, and captured
/// at the end of a turn; beside a `sha256sum` of it.
final class LargeFiles {
  private static final long SIZE = 1L << 30;
  private static final String MADE = "head -c %d /dev/urandom".formatted(SIZE);
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration PACE = Duration.ofMillis(50);

  private LargeFiles() {}

  static void measure(ServiceProcess service, Path data, SpeedReport report) throws Exception {
    Path file = data.resolve("large");
    double _ = time("bash", "-c", MADE + " >\"$0\"", file.toString());
    double sum = time("sha256sum", file.toString());
    Client client = service.client(Rig.workspace(), 20).patient(LIMIT, PACE);
    JsonNode upload =
        client.post("/uploads", Map.of("file_name", "large", "size", SIZE)).expect(201).json();
    double put = put(upload, file);
    Files.delete(file);
    double sent = now();
    Map<String, ?> input = Map.of("path", "large", "upload_id", upload.path("id").asText());
    SessionHandle brought =
        client.create("echo $EPOCHREALTIME; rm large", Map.of("files", List.of(input)));
    double begun = Double.parseDouble(brought.first().completed());
    SessionHandle made = client.create(MADE + " >made; echo $EPOCHREALTIME");
    double ended = Double.parseDouble(made.first().completed());
    double visible = now();
    report.add(
        "1 GiB: put · brought to the agent by a message · captured at the agent's end, s",
        "%.1f · %.1f · %.1f".formatted(put, begun - sent, visible - ended),
        "`sha256sum` %.1f".formatted(sum),
        "2 × that each");
    for (SessionHandle session : List.of(brought, made)) {
      client.delete(session.path()).expect(204);
    }
  }

  private static double put(JsonNode upload, Path file) throws Exception {
    List<String> line = new ArrayList<>(List.of("curl", "--fail", "--silent", "--show-error"));
    upload
        .path("headers")
        .properties()
        .forEach(header ->
            line.addAll(List.of("--header", header.getKey() + ": " + header.getValue().asText())));
    line.addAll(List.of("--upload-file", file.toString(), upload.path("url").asText()));
    return time(line.toArray(String[]::new));
  }

  private static double time(String... line) throws Exception {
    long start = System.nanoTime();
    int status = new ProcessBuilder(line).redirectErrorStream(true).start().waitFor();
    if (status != 0) {
      throw new AssertionError(line[0] + " ended with " + status);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double now() {
    return System.currentTimeMillis() / 1e3;
  }
}
