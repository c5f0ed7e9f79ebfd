package agentsessions.chaos.fuzz;

import agentsessions.chaos.rig.RawHttp;
import agentsessions.chaos.rig.RawHttp.Request;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.TurnIds;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// The fixture of fuzzed requests: a session, a thread and an artifact of the sender's workspace,
/// which is replaced by a new one before its keys reach their rate limit; and those of another
/// workspace, which must stay unchanged.
final class FuzzFixture {
  private static final int KEYS = 4; // the scene itself uses another one
  private static final int REQUESTS_A_KEY = 85;

  private final Rig rig;
  private final Scene foreign;
  private final List<JsonNode> before;
  private Scene own;
  private int sent;

  FuzzFixture(Rig rig) throws Exception {
    this.rig = rig;
    foreign = Scene.of(rig);
    before = seen();
    own = Scene.of(rig);
  }

  /// The key of the last request.
  String key() {
    return own.keys.get(sent % KEYS);
  }

  /// The request with its placeholders filled in.
  Request named(Request request) throws Exception {
    if (++sent == KEYS * REQUESTS_A_KEY) {
      own = Scene.of(rig);
      sent = 0;
    }
    return new Request(
        request.method(),
        named(request.target()),
        request.headers().stream().map(this::named).toList(),
        named(request.body()));
  }

  /// Makes a new session after one was deleted, since the next requests need one.
  void answered(RawHttp.Answer answer) throws Exception {
    if (answer.status() == 204) {
      own = Scene.of(rig);
      sent = 0;
    }
  }

  /// Fails if the other workspace's session has changed.
  void areUntouched() throws Exception {
    if (!seen().equals(before)) {
      throw new AssertionError("was " + before + ", is " + seen());
    }
  }

  private List<JsonNode> seen() {
    return List.of(
        foreign.talk.client().get(foreign.talk.path()).expect(200).json(),
        foreign
            .talk
            .client()
            .get(foreign.talk.path() + "/messages")
            .expect(200)
            .json()
            .path("items"),
        foreign
            .talk
            .client()
            .get(foreign.talk.path() + "/threads")
            .expect(200)
            .json()
            .path("items"));
  }

  private String named(String text) {
    if (!text.contains("$")) {
      return text;
    }
    String result = text.replace("$KEY", key());
    for (Map.Entry<String, String> name : own.names("$").entrySet()) {
      result = result.replace(name.getKey(), name.getValue());
    }
    for (Map.Entry<String, String> name : foreign.names("$FOREIGN_").entrySet()) {
      result = result.replace(name.getKey(), name.getValue());
    }
    return result;
  }

  private record Scene(
      RigSession talk, TurnIds turn, String artifact, String token, List<String> keys) {
    static Scene of(Rig rig) throws Exception {
      RigSession talk = new RigSession(rig, 1);
      TurnIds turn = talk.create("one");
      talk.complete(turn, "two", "/workspace/PLAN.md");
      JsonNode plans = talk.client().get(talk.path()).expect(200).json().path("plan_artifact_ids");
      String token = talk.runner(talk.say("three")).claimed().token();
      return new Scene(talk, turn, plans.path(0).asText(), token, keys(rig, talk.workspace()));
    }

    Map<String, String> names(String prefix) {
      return Map.of(
          prefix + "SESSION", talk.session(),
          prefix + "THREAD", turn.thread(),
          prefix + "ARTIFACT", artifact,
          prefix + "TOKEN", token,
          prefix + "WORKSPACE", talk.workspace());
    }

    private static List<String> keys(Rig rig, String workspace) {
      String[] keys = new String[KEYS];
      Arrays.setAll(keys, _ -> rig.service().createKey(workspace));
      return List.of(keys);
    }
  }
}
