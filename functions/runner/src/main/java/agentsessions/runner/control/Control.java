package agentsessions.runner.control;

import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The runner's side of the runner protocol. Every call may be repeated, and is while it fails for
/// a reason that may pass; where a call can find the turn not live any more, that is an answer, not
/// an error.
public final class Control {
  private static final Duration ONCE = Duration.ZERO;

  /// The first call may wake the service up.
  private static final Duration FIRST = Duration.ofSeconds(30);

  private static final Duration CALL = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofSeconds(3);

  private final URI url;
  private final String bearer;

  public Control(URI url, String bearer) {
    this.url = url;
    this.bearer = bearer;
  }

  public record Upload(String key, URI url) {}

  private record Uploads(List<Upload> uploads) {}

  /// Claims the turn of our ticket.
  ///
  /// @throws Refused also with the codes `NOT_LIVE` and `SANDBOX_BUSY`
  public Claim claim(int attempt, String claimId) throws IOException {
    Map<String, Object> body = Map.of("attempt", attempt, "claim_id", claimId);
    return Json.MAPPER.treeToValue(post("claim", body, FIRST, FIRST), Claim.class);
  }

  /// Leaves the turn of our ticket to another runner.
  public void refuse() throws IOException {
    post("refusal", Map.of(), CALL);
  }

  /// Whether the turn is still ours to run. Asked once: who asks, asks again soon.
  ///
  /// @param wait how long the service may wait for the turn's end before it answers
  public boolean isLive(Duration wait) throws IOException {
    String call = wait.isZero() ? "turn" : "turn?wait=" + wait.toSeconds();
    HttpRequest request = request(call, wait.plus(LOOK)).GET().build();
    return Exchange.json("turn", Exchange.send("turn", request, ONCE)).path("live").asBoolean();
  }

  /// Keeps the lease, and says what the turn has used so far.
  public boolean renew(UsageReport usage) throws IOException {
    return post("lease", Map.of("usage", usage), CALL).path("live").asBoolean();
  }

  /// Adds to the transcript; `from` is how many events were sent before these.
  public void events(int from, List<Event> events) throws IOException {
    post("events", Map.of("from", from, "events", events), CALL);
  }

  public List<Upload> uploads(List<Long> sizes) throws IOException {
    List<Map<String, Long>> files = sizes.stream().map(size -> Map.of("size", size)).toList();
    JsonNode answer = post("uploads", Map.of("files", files), Duration.ofSeconds(30));
    return Json.MAPPER.treeToValue(answer, Uploads.class).uploads();
  }

  /// Records a commit of the repository with this number as the session's own; only then may it be
  /// pushed.
  ///
  /// @throws Refused also with the code `NOT_LIVE`
  public void commit(int repository, String commit) throws IOException {
    post("commits", Map.of("repository", repository, "commit", commit), FIRST);
  }

  /// Reports the result, and does not give up easily: all the turn's work is in it.
  public void result(Result result, Duration patience) throws IOException {
    post("result", result, patience);
  }

  /// Lets the sandbox go, which is lost unless it was saved or is `untouched`.
  ///
  /// @param usage all that the turn has used
  public void release(boolean untouched, UsageReport usage, Duration patience) throws IOException {
    post("release", Map.of("untouched", untouched, "usage", usage), patience);
  }

  /// Says that the session's next turn will be waited for, while the sandbox is still ours.
  ///
  /// @return by which it is asked for, once the sandbox is let go
  /// @throws Refused also with the code `NOT_LIVE`
  public Control standby(Duration idle) throws IOException {
    JsonNode answer = post("standby", Map.of("seconds", idle.toSeconds()), LOOK);
    return new Control(url, answer.path("token").asText());
  }

  /// A turn that may be claimed.
  ///
  /// @param attempt how often it has been tried before
  public record Next(String ticket, int attempt) {
    @Override
    public String toString() {
      return "attempt " + attempt;
    }
  }

  /// Waits for the session's next turn, by the token of our standby.
  ///
  /// @param idle for how long; it is asked for once a second
  /// @return nothing where none came, and where none can come here any more
  /// @throws Refused for any other reason that does not pass
  public Optional<Next> next(Duration idle) throws IOException {
    try {
      return Exchange.asked("next", idle, this::next);
    } catch (Refused refused) {
      if (refused.says("NOT_LIVE")) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private Optional<Next> next() throws IOException {
    JsonNode answer = post("next", Map.of(), ONCE, LOOK);
    return answer.hasNonNull("ticket")
        ? Optional.of(Json.MAPPER.treeToValue(answer, Next.class))
        : Optional.empty();
  }

  JsonNode post(String call, Object body, Duration patience) throws IOException {
    return post(call, body, patience, CALL);
  }

  JsonNode post(String call, Object body, Duration patience, Duration time) throws IOException {
    HttpRequest request =
        request(call, time)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(bytes(body)))
            .build();
    return Exchange.json(call, Exchange.send(call, request, patience));
  }

  private static byte[] bytes(Object body) throws JsonProcessingException {
    return Json.MAPPER.writeValueAsBytes(body);
  }

  private HttpRequest.Builder request(String call, Duration time) {
    return HttpRequest.newBuilder(URI.create(url + "/" + call))
        .timeout(time)
        .header("Authorization", "Bearer " + bearer);
  }
}
