package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.PresignedLink;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The experiments on a session with repositories, files, uploads, secrets and a setup script.
final class WorkExperiments {
  private static final String SECRET = "GIVEN";
  private static final String VALUE = "the-value-of-a-secret";

  private static final Map<String, ?> ALL =
      Map.of(
          "repositories",
          List.of(
              Map.of(
                  "url",
                  "https://host.example/team/app.git",
                  "credential",
                  Map.of("secret", SECRET),
                  "push",
                  Map.of())),
          "files",
          List.of(Map.of("path", "a", "content", "b")),
          "environment",
          Map.of("variables", Map.of("C", "d"), "secrets", List.of(SECRET), "setup", "true"));

  private WorkExperiments() {}

  static List<Experiment> all() {
    return List.of(
        new Experiment(
            "create, with work",
            true,
            WorkExperiments::keep,
            scene -> create(scene, ALL),
            scene -> scene.shows(List.of("queued"), "user: one")),
        new Experiment(
            "create, with an upload",
            true,
            WorkExperiments::upload,
            scene ->
                create(scene, Map.of("files", List.of(Map.of("path", "a", "upload_id", scene.id)))),
            scene -> scene.shows(List.of("queued"), "user: one")),
        waiting(),
        new Experiment(
            "claim, with work",
            true,
            scene -> {
              keep(scene);
              create(scene, ALL);
              scene.runner = scene.talk.runner(scene.turn());
              scene.runner().begin();
            },
            scene -> complete(scene.runner().claim(0).expect(200).json().path("work")),
            scene -> scene.runner().result("two", List.of()).expect(200)));
  }

  private static Experiment waiting() {
    return new Experiment(
        "wait, with an upload",
        true,
        scene -> {
          upload(scene);
          scene.claim();
        },
        WorkExperiments::queue,
        scene -> assertEquals(List.of("user: one"), scene.talk.history()));
  }

  private static void keep(ExperimentRun scene) {
    Map<String, ?> body =
        Map.of("value", VALUE, "hosts", List.of("host.example"), "environment", true);
    ApiResponse kept = scene.talk.client().put("/secrets/" + SECRET, body);
    assertEquals(204, kept.status(), kept.body()::toString);
  }

  private static void upload(ExperimentRun scene) {
    ApiResponse announced =
        scene.talk.client().post("/uploads", Map.of("file_name", "a", "size", 4)).expect(201);
    assertEquals(200, PresignedLink.put(announced.text("/url"), new byte[4]));
    scene.id = announced.text("/id");
  }

  private static void queue(ExperimentRun scene) {
    Map<String, ?> body =
        Map.of(
            "message",
            "two",
            "on_running",
            "queue",
            "files",
            List.of(Map.of("path", "a", "upload_id", scene.id)));
    scene.talk.client().post(scene.talk.path() + "/messages", body).expect(201);
  }

  private static void create(ExperimentRun scene, Map<String, ?> work) {
    Map<String, Object> body = new HashMap<>(work);
    body.put("agent_name", "shell");
    body.put("message", "one");
    scene.turn = scene.talk.created(scene.talk.client().post("/sessions", body).expect(201));
  }

  private static void complete(JsonNode work) {
    assertEquals("d", work.at("/variables/C").asText());
    assertEquals(VALUE, work.at("/secrets/" + SECRET).asText());
    assertEquals(VALUE, work.at("/repositories/0/credential/password").asText());
    assertEquals("true", work.path("setup").asText());
    assertTrue(work.at("/files/0/content_base64").isTextual());
  }
}
