package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// An operation of the service under fault injection: its preparation, the operation itself, and a
/// check that it was done exactly once, whatever faults AWS had meanwhile.
///
/// @param changes whether each run needs a new scene
/// @param act expects success
public record Experiment(String name, boolean changes, Step prepare, Step act, Step check) {
  private static final String LONG = "x".repeat(400_000);

  /// One part of an experiment.
  @FunctionalInterface
  interface Step {
    void run(ExperimentRun scene) throws Exception;
  }

  /// All operations of clients.
  public static List<Experiment> ofClients() {
    List<Experiment> all = new ArrayList<>(ofChanges());
    all.add(
        new Experiment(
            "poll, live",
            false,
            ExperimentRun::create,
            scene -> assertEquals(0, scene.talk.poll(scene.turn()).json().path("items").size()),
            Experiment::nothing));
    all.add(
        new Experiment(
            "poll, ready",
            false,
            ExperimentRun::complete,
            scene -> assertEquals("two", scene.talk.poll(scene.turn()).text("/items/0/message")),
            Experiment::nothing));
    all.add(
        new Experiment(
            "poll, ready, long",
            false,
            scene -> {
              scene.create();
              scene.talk.complete(scene.turn(), LONG);
            },
            scene -> assertEquals(LONG, scene.talk.poll(scene.turn()).text("/items/0/message")),
            Experiment::nothing));
    all.add(read("get session", scene -> "/plan_artifact_ids/0", scene -> scene.talk.path()));
    all.add(read("history", scene -> "/items/1/message", scene -> scene.talk.path() + "/messages"));
    all.add(
        read(
            "history, with tool calls",
            scene -> "/items/1/message",
            scene ->
                scene.talk.path() + "/messages?type=message&type=tool_call&type=final_message"));
    all.add(
        read(
            "page by number",
            scene -> "/meta/total_pages",
            scene -> scene.talk.path() + "/messages?page=1"));
    all.add(
        new Experiment(
            "page by number, of everything",
            false,
            ExperimentRun::work,
            scene ->
                assertEquals(
                    "4",
                    scene
                        .talk
                        .client()
                        .get(
                            scene.talk.path()
                                + "/messages?page=1&type=message&type=tool_call&type=final_message")
                        .expect(200)
                        .text("/meta/total")),
            Experiment::nothing));
    all.add(read("threads", scene -> "/items/0/id", scene -> scene.talk.path() + "/threads"));
    all.add(
        read(
            "thread",
            scene -> "/id",
            scene -> scene.talk.path() + "/threads/" + scene.turn().thread()));
    all.add(read("sessions", scene -> "/items/0/id", scene -> "/sessions"));
    all.add(read("artifacts", scene -> "/items/0/url", scene -> scene.talk.path() + "/artifacts"));
    all.add(
        new Experiment(
            "artifact",
            false,
            scene -> {
              scene.complete();
              scene.id = scene.talk.client().get(scene.talk.path()).text("/plan_artifact_ids/0");
            },
            scene ->
                assertEquals(
                    "PLAN.md",
                    scene
                        .talk
                        .client()
                        .get(scene.talk.path() + "/artifacts/" + scene.id)
                        .expect(200)
                        .text("/file_name")),
            Experiment::nothing));
    all.add(read("usage", scene -> "/items/0/turns", scene -> "/usage?group_by=day"));
    all.addAll(ofExports());
    all.add(read("live events", scene -> "/items/0/id", scene -> scene.talk.path() + "/events"));
    all.add(
        new Experiment(
            "live events, nothing new",
            false,
            scene -> {
              scene.complete();
              scene.id = scene.talk.client().get(scene.talk.path() + "/events").text("/next_after");
            },
            scene ->
                assertEquals(
                    "[]",
                    scene
                        .talk
                        .client()
                        .get(scene.talk.path() + "/events?after=" + scene.id)
                        .expect(200)
                        .json()
                        .path("items")
                        .toString()),
            Experiment::nothing));
    all.add(
        read(
            "live events, snapshot",
            scene -> "/snapshot/cursor",
            scene -> scene.talk.path() + "/events?snapshot=true"));
    return all;
  }

  /// The exports are only requested here, not built.
  private static List<Experiment> ofExports() {
    return List.of(
        new Experiment(
            "export",
            true,
            ExperimentRun::complete,
            scene -> scene.id = scene.talk.export().expect(202).text("/id"),
            scene -> assertEquals(scene.id, scene.talk.export().expect(202).text("/id"))),
        new Experiment(
            "export, asked for again",
            false,
            ExperimentRun::export,
            scene -> assertEquals(scene.id, scene.talk.export().expect(202).text("/id")),
            Experiment::nothing),
        new Experiment(
            "export, looked at",
            false,
            ExperimentRun::export,
            scene ->
                assertEquals(
                    "working",
                    scene
                        .talk
                        .client()
                        .get(scene.talk.path() + "/exports/" + scene.id)
                        .expect(200)
                        .text("/status")),
            Experiment::nothing));
  }

  static List<Experiment> ofChanges() {
    return List.of(
        new Experiment(
            "create",
            true,
            Experiment::nothing,
            scene -> scene.turn = scene.talk.create("one"),
            Experiment::oneSession),
        new Experiment(
            "create, with a key",
            true,
            Experiment::nothing,
            scene -> scene.turn = scene.talk.create("one", "Idempotency-Key", "k"),
            Experiment::oneSession),
        new Experiment(
            "follow-up, idle",
            true,
            ExperimentRun::complete,
            scene -> scene.talk.say("three"),
            scene ->
                scene.shows(
                    List.of("completed", "queued"), "user: one", "assistant: two", "user: three")),
        new Experiment(
            "follow-up, interrupting",
            true,
            ExperimentRun::claim,
            scene -> scene.talk.say("two"),
            scene -> scene.shows(List.of("interrupted", "queued"), "user: one", "user: two")),
        new Experiment(
            "follow-up, interrupting, with a key",
            true,
            ExperimentRun::claim,
            scene -> scene.talk.say("two", "Idempotency-Key", "k"),
            scene -> scene.shows(List.of("interrupted", "queued"), "user: one", "user: two")),
        new Experiment(
            "interrupt",
            true,
            ExperimentRun::claim,
            scene -> assertEquals("cancelled", scene.talk.interrupt().expect(200).text("/status")),
            scene -> scene.shows(List.of("cancelled"), "user: one")),
        new Experiment(
            "change",
            true,
            ExperimentRun::create,
            scene ->
                scene.talk.client().patch(scene.talk.path(), Map.of("title", "new")).expect(200),
            scene ->
                assertEquals("new", scene.talk.client().get(scene.talk.path()).text("/title"))),
        new Experiment(
            "delete",
            true,
            ExperimentRun::claim,
            scene -> scene.talk.client().delete(scene.talk.path()).expect(204),
            scene -> scene.talk.client().get(scene.talk.path()).expect(404)));
  }

  /// All operations of the state machine and the runner.
  public static List<Experiment> ofTurns() {
    return List.of(
        begin("begin"),
        new Experiment(
            "claim",
            true,
            scene -> {
              scene.create();
              scene.runner = scene.talk.runner(scene.turn());
              scene.runner().begin();
            },
            scene -> assertEquals("one", scene.runner().claim(0).expect(200).text("/message")),
            scene -> scene.runner().result("two", List.of()).expect(200)),
        new Experiment(
            "is it live",
            false,
            ExperimentRun::claim,
            scene -> assertTrue(scene.runner().live().expect(200).json().path("live").asBoolean()),
            Experiment::nothing),
        new Experiment(
            "lease",
            false,
            ExperimentRun::claim,
            scene -> assertTrue(scene.runner().lease().expect(200).json().path("live").asBoolean()),
            Experiment::nothing),
        new Experiment(
            "events",
            true,
            ExperimentRun::claim,
            scene ->
                assertEquals(
                    2, scene.runner().say(0, "a", "b").expect(200).json().path("count").asInt()),
            scene -> {
              scene.runner().say(2, "c").expect(200);
              scene.shows(
                  List.of("running"), "user: one", "assistant: a", "assistant: b", "assistant: c");
            }),
        new Experiment(
            "uploads",
            false,
            ExperimentRun::claim,
            scene ->
                assertEquals(
                    1, scene.runner().uploads(1).expect(200).json().path("uploads").size()),
            Experiment::nothing),
        new Experiment(
            "result",
            true,
            scene -> {
              scene.claim();
              scene.files = scene.runner().plan("/workspace/PLAN.md");
            },
            scene -> scene.runner().result("two", scene.files).expect(200),
            scene -> {
              scene.shows(List.of("completed"), "user: one", "assistant: two");
              assertEquals(1, scene.talk.items(scene.talk.path() + "/artifacts").size());
            }),
        new Experiment(
            "result, long",
            true,
            ExperimentRun::claim,
            scene -> scene.runner().result(LONG, List.of()).expect(200),
            scene -> scene.shows(List.of("completed"), "user: one", "assistant: " + LONG)),
        new Experiment(
            "result, and release",
            true,
            ExperimentRun::claim,
            scene ->
                assertEquals(
                    "true", scene.runner().resultAndRelease("two").expect(200).text("/released")),
            scene -> {
              scene.shows(List.of("completed"), "user: one", "assistant: two");
              scene.turn = scene.talk.say("three");
              assertEquals("run", scene.talk.runner(scene.turn()).begin());
            }),
        new Experiment(
            "release",
            true,
            scene -> {
              scene.claim();
              scene.turn = scene.talk.say("two");
            },
            scene -> scene.runner().release().expect(200),
            scene -> assertEquals("run", scene.talk.runner(scene.turn()).begin())),
        new Experiment(
            "begin, the sandbox is held",
            true,
            scene -> {
              scene.claim();
              scene.turn = scene.talk.say("two");
            },
            scene -> assertEquals("wait", scene.talk.runner(scene.turn()).begin()),
            scene -> {
              scene.runner().release().expect(200);
              assertEquals("run", scene.talk.runner(scene.turn()).begin());
            }),
        new Experiment(
            "release, a turn waits",
            true,
            scene -> {
              scene.claim();
              scene.turn = scene.talk.say("two");
              assertEquals("wait", scene.talk.runner(scene.turn()).begin());
            },
            scene -> scene.runner().release().expect(200),
            scene -> assertEquals("run", scene.talk.runner(scene.turn()).begin())),
        new Experiment(
            "fail",
            true,
            scene -> {
              scene.claim();
              scene.age("lease_until");
            },
            scene -> scene.rig.fail(scene.turn(), 1),
            scene -> {
              assertEquals(List.of("failed"), scene.talk.statuses());
              assertEquals(2, scene.talk.history().size());
            }));
  }

  /// The end of a turn after which the first one that waits begins. Not to be met by faults, which
  /// may leave that one to the sweep.
  static Experiment ofQueue() {
    return new Experiment(
        "result, a message waits",
        true,
        scene -> {
          scene.claim();
          Map<String, String> waits = Map.of("message", "two", "on_running", "queue");
          scene.talk.client().post(scene.talk.path() + "/messages", waits).expect(201);
        },
        scene -> scene.runner().result("three", List.of()).expect(200),
        scene ->
            scene.shows(
                List.of("completed", "queued"), "user: one", "assistant: three", "user: two"));
  }

  /// The sweeps. Their first call names no workspace, so no rule can tell them apart and they run
  /// one at a time.
  public static List<Experiment> ofSweeps() {
    return List.of(
        new Experiment(
            "sweep, never started",
            true,
            scene -> {
              scene.create();
              scene.age("due_at");
            },
            scene -> scene.rig.sweep(),
            scene -> {
              scene.rig.sweep();
              assertEquals("end", scene.talk.runner(scene.turn()).begin(1));
              assertEquals("run", scene.talk.runner(scene.turn()).begin(2));
            }),
        new Experiment(
            "sweep, lost",
            true,
            scene -> {
              scene.claim();
              scene.age("lease_until", "due_at");
            },
            scene -> scene.rig.sweep(),
            scene -> {
              scene.rig.sweep(); // the next sweep completes an interrupted one
              assertEquals(List.of("failed"), scene.talk.statuses());
              assertEquals(2, scene.talk.history().size());
              scene.runner().result("late", List.of()).expect(409);
            }));
  }

  private static Experiment read(
      String name, Function<ExperimentRun, String> pointer, Function<ExperimentRun, String> path) {
    return new Experiment(
        name,
        false,
        ExperimentRun::complete,
        scene -> {
          ApiResponse answer = scene.talk.client().get(path.apply(scene)).expect(200);
          assertTrue(!answer.text(pointer.apply(scene)).isEmpty(), answer::toString);
        },
        Experiment::nothing);
  }

  /// A runner begins a turn, for either engine.
  static Experiment begin(String name) {
    return new Experiment(
        name,
        true,
        ExperimentRun::create,
        scene -> {
          scene.runner = scene.talk.runner(scene.turn());
          assertEquals("run", scene.runner().begin());
        },
        scene -> scene.runner().claim(0).expect(200));
  }

  static void nothing(ExperimentRun scene) {}

  private static void oneSession(ExperimentRun scene) throws Exception {
    List<JsonNode> sessions = scene.talk.items("/sessions");
    assertEquals(1, sessions.size());
    assertEquals(scene.talk.session(), sessions.getFirst().path("id").asText());
    scene.shows(List.of("queued"), "user: one");
  }
}
