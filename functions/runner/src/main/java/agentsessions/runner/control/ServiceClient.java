package agentsessions.runner.control;

import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.Json;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import agentsessions.wire.UsageReport;
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

/// The client of the runner protocol. Every call is idempotent, and is retried while it fails for a
/// transient reason. A turn that is no longer live is a normal answer where a call can find it, not
/// an error.
public final class ServiceClient {
  private static final Duration ONCE = Duration.ZERO;

  /// The first call may meet a cold start of the service.
  private static final Duration FIRST = Duration.ofSeconds(30);

  private static final Duration CALL = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofSeconds(3);

  private final URI url;
  private final String bearer;

  public ServiceClient(URI url, String bearer) {
    this.url = url;
    this.bearer = bearer;
  }

  /// Claims the turn of our ticket.
  ///
  /// @throws CallRefused also with the codes `NOT_LIVE` and `SANDBOX_BUSY`
  public Claim claim(int attempt, String claimId) throws IOException {
    return Claim.of(post("claim", new RunnerMessages.Claim(attempt, claimId), FIRST, FIRST));
  }

  /// Leaves the turn of this client's ticket to another runner.
  public void refuse() throws IOException {
    post("refusal", Map.of(), CALL);
  }

  /// Whether the turn is still this runner's. Not retried: the caller asks again soon anyway.
  ///
  /// @param wait how long the service may hold the answer back while the turn is live
  public boolean isLive(Duration wait) throws IOException {
    return waiting("turn", wait, RunnerMessages.Live.class).live();
  }

  /// Renews the lease, and reports the usage so far. False if the turn is no longer live.
  ///
  /// @param most how long it may take
  public boolean renew(UsageReport usage, Duration most) throws IOException {
    JsonNode answer = post("lease", new RunnerMessages.Renewal(usage), most, most);
    return Json.MAPPER.treeToValue(answer, RunnerMessages.Live.class).live();
  }

  /// Adds events to the transcript; `from` is the number of events that were sent before.
  public void events(int from, List<Event> events) throws IOException {
    List<RunnerMessages.Event> messages =
        events.stream().map(event -> new RunnerMessages.Event(event.type(), event.text())).toList();
    post("events", new RunnerMessages.Events(from, messages), CALL);
  }

  /// The number of events that are on record, such as those of the turn's earlier runners.
  public int events() throws IOException {
    return post("events", new RunnerMessages.Events(0, List.of()), CALL, RunnerMessages.Count.class)
        .count();
  }

  public List<RunnerMessages.Upload> uploads(List<Long> sizes) throws IOException {
    List<RunnerMessages.FileSize> files = sizes.stream().map(RunnerMessages.FileSize::new).toList();
    return post(
            "uploads", new RunnerMessages.UploadRequest(files), FIRST, RunnerMessages.Uploads.class)
        .uploads();
  }

  /// Records a commit of the repository with this number as the session's own; only then may it be
  /// pushed.
  ///
  /// @throws CallRefused also with the code `NOT_LIVE`
  public void commit(int repository, String commit) throws IOException {
    post("commits", new RunnerMessages.Commit(repository, commit), FIRST);
  }

  /// Asks for a person's decision on a tool call; asked again, it is the same request.
  ///
  /// @param hold how long the request waits, and how long is asked again where no answer comes
  /// @throws CallRefused also with the code `NOT_LIVE`
  public RunnerMessages.DecisionState decision(RunnerMessages.DecisionRequest asked, Duration hold)
      throws IOException {
    Duration retryTime = hold.compareTo(CALL) > 0 ? hold : CALL;
    return post("requests", asked, retryTime, RunnerMessages.DecisionState.class);
  }

  /// The state of a request. Not retried: the caller asks again soon anyway.
  ///
  /// @param wait how long the service may hold the answer back while nobody has decided
  public RunnerMessages.DecisionState decision(String id, Duration wait) throws IOException {
    return waiting("requests/" + id, wait, RunnerMessages.DecisionState.class);
  }

  /// Expires a request that nobody has decided in time; a decision that came before wins.
  public RunnerMessages.DecisionState expire(String id) throws IOException {
    return post("requests/" + id + "/expiry", Map.of(), FIRST, RunnerMessages.DecisionState.class);
  }

  /// Parks the turn until a request is decided, and releases its sandbox, which must be saved: the
  /// last call of this runner. False if that cannot be, and the turn is still this runner's.
  ///
  /// @throws CallRefused also with the code `NOT_LIVE`
  public boolean park(String request, UsageReport usage, Duration retryTime) throws IOException {
    return post(
            "parking",
            new RunnerMessages.Parking(request, false, usage),
            retryTime,
            RunnerMessages.Parked.class)
        .parked();
  }

  /// Reports the result, and does not give up easily: all the turn's work is in it. True if the
  /// sandbox was released with it.
  public boolean result(TurnResult result, Duration retryTime) throws IOException {
    return post("result", result, retryTime, RunnerMessages.Ended.class).released();
  }

  /// Releases the sandbox. Its changes are lost unless it was saved or is `untouched`.
  ///
  /// @param usage all that the turn has used
  public void release(boolean untouched, UsageReport usage, Duration retryTime) throws IOException {
    post("release", new RunnerMessages.Release(untouched, usage), retryTime);
  }

  /// Announces that this runner will wait for the session's next turn; called while it still holds
  /// the sandbox.
  ///
  /// @return the client that polls for the next turn, once the sandbox is released
  /// @throws CallRefused also with the code `NOT_LIVE`
  public ServiceClient standby(Duration idle) throws IOException {
    RunnerMessages.Standby asked = new RunnerMessages.Standby((int) idle.toSeconds());
    return new ServiceClient(
        url, post("standby", asked, POLL, RunnerMessages.Waiting.class).token());
  }

  /// The offer of a turn that may be claimed.
  ///
  /// @param attempt the number of earlier attempts
  public record Next(String ticket, int attempt) {
    @Override
    public String toString() {
      return "attempt " + attempt;
    }
  }

  /// Waits for the session's next turn, by the token of the standby.
  ///
  /// @param idle the longest wait; the service is polled once a second
  /// @return empty if no turn came in time, or the standby is no longer valid
  /// @throws CallRefused for any other permanent refusal
  public Optional<Next> next(Duration idle) throws IOException {
    try {
      return HttpRetries.polled("next", idle, this::next);
    } catch (CallRefused refused) {
      if (refused.says("NOT_LIVE")) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private Optional<Next> next() throws IOException {
    JsonNode answer = post("next", Map.of(), ONCE, POLL);
    return answer.hasNonNull("ticket")
        ? Optional.of(Json.MAPPER.treeToValue(answer, Next.class))
        : Optional.empty();
  }

  private <T> T waiting(String call, Duration wait, Class<T> answer) throws IOException {
    long seconds = wait.toSeconds();
    String address = seconds == 0 ? call : call + "?wait=" + seconds;
    HttpRequest request = request(address, wait.plus(POLL)).GET().build();
    JsonNode body = HttpRetries.json(call, HttpRetries.send(call, request, ONCE));
    return Json.MAPPER.treeToValue(body, answer);
  }

  <T> T post(String call, Object body, Duration retryTime, Class<T> answer) throws IOException {
    return Json.MAPPER.treeToValue(post(call, body, retryTime), answer);
  }

  JsonNode post(String call, Object body, Duration retryTime) throws IOException {
    return post(call, body, retryTime, CALL);
  }

  JsonNode post(String call, Object body, Duration retryTime, Duration time) throws IOException {
    HttpRequest request =
        request(call, time)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(bytes(body)))
            .build();
    return HttpRetries.json(call, HttpRetries.send(call, request, retryTime));
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
