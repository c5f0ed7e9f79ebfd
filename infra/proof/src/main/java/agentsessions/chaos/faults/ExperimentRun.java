package agentsessions.chaos.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeAction;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValueUpdate;

/// The state of one run of an experiment: a workspace with a session, its turn, and the runner that
/// plays it.
final class ExperimentRun {
  final Rig rig;
  final RigSession talk;
  @Nullable TurnIds turn;
  @Nullable StubRunner runner;
  List<Map<String, Object>> files = List.of();
  String id = "";
  String fingerprint = StubRunner.SHA256;
  String shard = "";

  ExperimentRun(Rig rig) {
    this.rig = rig;
    this.talk = new RigSession(rig, 1);
  }

  TurnIds turn() {
    return Objects.requireNonNull(turn);
  }

  StubRunner runner() {
    return Objects.requireNonNull(runner);
  }

  void create() throws Exception {
    turn = talk.create("one");
  }

  void claim() throws Exception {
    create();
    runner = talk.runner(turn()).claimed();
  }

  /// A turn that sends a tool call and a message before its reply.
  void work() throws Exception {
    claim();
    Map<String, String> call = Map.of("type", "tool_call", "text", "{\"name\":\"look\"}");
    runner().say(0, List.of(call, Map.of("type", "message", "text", "I look"))).expect(200);
    runner().result("two", List.of()).expect(200);
    runner().release().expect(200);
  }

  void complete() throws Exception {
    create();
    talk.complete(turn(), "two", "/workspace/PLAN.md");
  }

  void export() throws Exception {
    complete();
    id = talk.export().expect(202).text("/id");
  }

  void shows(List<String> statuses, String... history) throws Exception {
    assertEquals(List.of(history), talk.history());
    assertEquals(statuses, talk.statuses());
  }

  /// The texts by which the proxy recognises the calls of this scene.
  List<String> marks() {
    return Stream.of(talk.workspace(), talk.session(), shard)
        .filter(mark -> !mark.isEmpty())
        .toList();
  }

  /// Sets these times of the turn's record to the past, as if they had run out.
  void age(String... attributes) {
    AttributeValue live =
        rig.table()
            .getItem(get -> get.tableName("agent-sessions").key(key()).consistentRead(true))
            .item()
            .get("LIVE");
    if (List.of(attributes).contains("due_at")) {
      shard = "\"" + Objects.requireNonNull(live).s() + "\"";
    }
    for (String attribute : attributes) {
      rig.table()
          .updateItem(update ->
              update
                  .tableName("agent-sessions")
                  .key(key())
                  .attributeUpdates(Map.of(attribute, past())));
    }
  }

  private Map<String, AttributeValue> key() {
    return Map.of(
        "PK",
        AttributeValue.fromS("W#" + talk.workspace() + "#S#" + talk.session()),
        "SK",
        AttributeValue.fromS("T#" + turn().thread()));
  }

  private static AttributeValueUpdate past() {
    return AttributeValueUpdate.builder()
        .action(AttributeAction.PUT)
        .value(AttributeValue.fromN("1000"))
        .build();
  }
}
