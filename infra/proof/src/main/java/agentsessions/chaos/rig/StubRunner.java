package agentsessions.chaos.rig;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import com.atlassian.oai.validator.model.Request;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A stub runner that runs no process: it speaks the state machine's part and the runner protocol
/// for one turn, one step at a time and with the faults that an experiment wants.
public final class StubRunner {
  /// The fingerprint of each of its calls.
  public static final String SHA256 = "0".repeat(64);

  /// The usage that each of its turns reports.
  private static final Map<String, Object> USED =
      Map.of(
          "requests",
          2,
          "models",
          List.of(
              Map.of(
                  "model", "claude-opus-4-5",
                  "requests", 2,
                  "input", 1000,
                  "output", 200,
                  "cache_read", 30_000,
                  "cache_write", 4000,
                  "cache_write_hour", 0)),
          "complete",
          true);

  private final Rig rig;
  private final TurnIds turn;
  private final String claimId = UUID.randomUUID().toString();
  private String url = "";
  private String ticket = "";
  private String token = "";
  private String waiting = "";
  private @Nullable Client claimed;

  StubRunner(Rig rig, TurnIds turn) {
    this.rig = rig;
    this.turn = turn;
  }

  TurnIds turn() {
    return turn;
  }

  /// The token of the claim.
  public String token() {
    return token;
  }

  /// Begins the turn's execution. Returns `run`, `wait` or `end`.
  public String begin() throws IOException {
    return begin(1);
  }

  public String begin(int dispatch) throws IOException {
    Optional<JsonNode> launch = rig.run(turn, dispatch);
    url = launch.map(event -> event.path("url").asText()).orElse("");
    ticket = launch.map(event -> event.path("ticket").asText()).orElse("");
    return launch.isPresent()
        ? "run"
        : rig.said(turn, dispatch).filter("success"::equals).map(_ -> "end").orElse("wait");
  }

  /// Refuses the turn, so that another runner gets it.
  ApiResponse refuse() {
    return post(Client.ofRunner(url, ticket), "/refusal", Map.of());
  }

  public ApiResponse claim(int attempt) {
    ApiResponse answer =
        post(
            Client.ofRunner(url, ticket),
            "/claim",
            Map.of("attempt", attempt, "claim_id", claimId));
    if (answer.status() == 200) {
      token = answer.text("/token");
      claimed = Client.ofRunner(url, token);
    }
    return answer;
  }

  /// Begins and claims the turn; both must succeed.
  public StubRunner claimed() throws IOException {
    String next = begin();
    if (!next.equals("run")) {
      throw new AssertionError("begin said " + next);
    }
    claim(0).expect(200);
    return this;
  }

  public ApiResponse live() {
    return RunnerContract.held(Request.Method.GET, "/turn", "", runner().get("/turn"));
  }

  /// The same as a long poll, until the turn has ended or so many seconds have passed.
  public ApiResponse awaitEnd(int seconds) {
    return RunnerContract.held(
        Request.Method.GET, "/turn", "", runner().get("/turn?wait=" + seconds));
  }

  public ApiResponse lease() {
    return post(runner(), "/lease", Map.of("usage", USED));
  }

  public ApiResponse say(int from, String... texts) {
    List<Map<String, String>> events = new ArrayList<>();
    for (String text : texts) {
      events.add(Map.of("type", "message", "text", text));
    }
    return say(from, events);
  }

  public ApiResponse say(int from, List<Map<String, String>> events) {
    return post(runner(), "/events", Map.of("from", from, "events", events));
  }

  /// Asks for upload links for files of these sizes.
  public ApiResponse uploads(long... sizes) {
    List<Map<String, Long>> files =
        LongStream.of(sizes).mapToObj(size -> Map.of("size", size)).toList();
    return post(runner(), "/uploads", Map.of("files", files));
  }

  /// Uploads a plan; its description for `result`, or an empty list if the turn is no longer live.
  public List<Map<String, Object>> plan(String path) {
    byte[] content = (path + " of " + turn.thread()).getBytes(StandardCharsets.UTF_8);
    ApiResponse answer = uploads(content.length);
    if (answer.status() != 200) {
      return List.of();
    }
    int status = PresignedLink.put(answer.text("/uploads/0/url"), content);
    if (status != 200) {
      throw new AssertionError("upload: " + status);
    }
    Map<String, Object> plan = new HashMap<>();
    plan.put("key", answer.text("/uploads/0/key"));
    plan.put("path", path);
    plan.put("kind", "plan");
    plan.put("sha256", sha256(content));
    plan.put("mime_type", "text/markdown");
    return List.of(plan);
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  ApiResponse commit(int repository, String commit) {
    return post(runner(), "/commits", Map.of("repository", repository, "commit", commit));
  }

  /// Asks for a decision on a call.
  public ApiResponse ask(String call) {
    return ask(call, false);
  }

  /// Asks for one on a call that the turn can be parked for.
  public ApiResponse askParkable(String call) {
    return ask(call, true);
  }

  private ApiResponse ask(String call, boolean parkable) {
    return post(
        runner(),
        "/requests",
        Map.of(
            "call", call,
            "tool", "bash",
            "kind", "execute",
            "title", "bash ls",
            "input", "{\"command\":\"ls\"}",
            "fingerprint", SHA256,
            "parkable", parkable));
  }

  public ApiResponse decision(String id) {
    String path = "/requests/" + id;
    return RunnerContract.held(Request.Method.GET, path, "", runner().get(path));
  }

  public ApiResponse expire(String id) {
    return post(runner(), "/requests/" + id + "/expiry", Map.of());
  }

  /// Parks the turn for a request, with nothing to be saved.
  public ApiResponse park(String id) {
    return post(runner(), "/parking", Map.of("request", id, "untouched", true, "usage", USED));
  }

  public ApiResponse result(String reply, List<Map<String, Object>> artifacts) {
    return post(
        runner(),
        "/result",
        Map.of("outcome", "completed", "reply", reply, "artifacts", artifacts, "usage", USED));
  }

  public ApiResponse resultAndRelease(String reply) {
    return post(
        runner(),
        "/result",
        Map.of("outcome", "completed", "reply", reply, "usage", USED, "release", true));
  }

  /// Announces that it waits for the session's next turn.
  public ApiResponse standBy(int seconds) {
    ApiResponse answer = post(runner(), "/standby", Map.of("seconds", seconds));
    if (answer.status() == 200) {
      waiting = answer.text("/token");
    }
    return answer;
  }

  /// Asks for the session's next turn.
  public ApiResponse next() {
    return post(Client.ofRunner(url, waiting), "/next", Map.of());
  }

  /// Takes the turn that another stub's `next` was answered with.
  StubRunner takes(StubRunner other, ApiResponse next) {
    url = other.url;
    ticket = next.text("/ticket");
    return this;
  }

  public ApiResponse release() {
    return post(runner(), "/release", Map.of("usage", USED));
  }

  /// Saves a snapshot of the sandbox in one part.
  ApiResponse save(String content) {
    post(runner(), "/snapshot", Map.of()).expect(200);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    ApiResponse part =
        post(runner(), "/snapshot/parts", Map.of("number", 1, "size", bytes.length)).expect(200);
    String tag = PresignedLink.putPart(part.text("/url"), bytes);
    return post(runner(), "/snapshot/complete", Map.of("tags", List.of(tag)));
  }

  private static ApiResponse post(Client client, String path, Map<String, ?> body) {
    String sent = Client.text(body);
    return RunnerContract.held(Request.Method.POST, path, sent, client.post(path, body));
  }

  private Client runner() {
    if (claimed == null) {
      throw new IllegalStateException("nothing claimed");
    }
    return claimed;
  }
}
