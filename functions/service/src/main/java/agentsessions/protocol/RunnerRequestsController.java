package agentsessions.protocol;

import agentsessions.rule.Question;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Turns;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.RunnerCredential;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The endpoints by which a runner asks for a person's decision on a tool call, waits for it, and
/// has the request expire. Each call may be repeated; 409 `NOT_LIVE` means that the turn is no
/// longer this runner's, is a job, or has no such request.
@Controller("/runner/v1/requests")
public final class RunnerRequestsController {
  private static final int MOST_NAME = 200;
  private static final int MOST_TITLE = 1000;
  private static final int MOST_BYTES = RunnerMessages.DecisionRequest.MOST_INPUT;
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{64}");

  private final RunnerTokenCheck tokens;
  private final HeldTurns heldTurns;
  private final Requests requests;
  private final ChangeSignal signal;
  private final JsonMapper json;

  public RunnerRequestsController(
      Turns turns, HeldTurns heldTurns, Requests requests, ChangeSignal signal, JsonMapper json) {
    this.tokens = new RunnerTokenCheck(turns);
    this.heldTurns = heldTurns;
    this.requests = requests;
    this.signal = signal;
    this.json = json;
  }

  @Post
  public RunnerMessages.DecisionState ask(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @Body RunnerMessages.DecisionRequest request) {
    Turn turn = tokens.live(authorization);
    return heldTurns
        .ask(turn, call(request))
        .map(RunnerRequestsController::state)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  /// What has become of a request, after a wait for it to be pending no more.
  @Get("/{id}")
  public RunnerMessages.DecisionState state(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      String id,
      @QueryValue @Nullable String wait) {
    RunnerCredential token = RunnerTokenCheck.credential(authorization);
    long end = System.nanoTime() + LivenessController.most(wait, signal).toNanos();
    RequestId requestId = id(id);
    Layout.Key key = Layout.request(token.turn().sessionKey(), requestId);
    try (ChangeSignal.Watch watch = signal.watch(token.turn().sessionKey(), key::equals)) {
      Request request = request(token, requestId);
      while (request.status() == Request.Status.PENDING
          && watch.await(Duration.ofNanos(end - System.nanoTime()))) {
        request = request(token, requestId);
      }
      return state(request);
    }
  }

  @Post("/{id}/expiry")
  public RunnerMessages.DecisionState expire(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization, String id) {
    Turn turn = tokens.live(authorization);
    return heldTurns
        .expire(turn, id(id))
        .map(RunnerRequestsController::state)
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  private Request request(RunnerCredential token, RequestId id) {
    Turn turn = tokens.live(token);
    return requests
        .load(turn.key().sessionKey(), id)
        .filter(request -> request.turn().equals(turn.key()))
        .orElseThrow(RunnerTokenCheck::notLive);
  }

  private static RequestId id(String id) {
    return RequestId.parse(id).orElseThrow(RunnerTokenCheck::notLive);
  }

  private static RunnerMessages.DecisionState state(Request request) {
    Decision decision = request.decision();
    return new RunnerMessages.DecisionState(
        request.id().toString(),
        request.status().word(),
        decision == null ? null : decision.word().text(),
        decision == null ? null : decision.note(),
        decision == null || decision.answers().isEmpty() ? null : decision.answers());
  }

  private HeldTurns.Call call(RunnerMessages.DecisionRequest request) {
    String input = input(request.input());
    return new HeldTurns.Call(
        text("call", request.call()),
        title(request),
        new Request.Tool(text("tool", request.tool()), kind(request.kind()), input),
        questions(request.questions(), bytes(input).length),
        fingerprint(request.fingerprint()),
        Boolean.TRUE.equals(request.parkable()));
  }

  /// Those that a runner makes of an input of at most {@link Question#MOST_INPUT}, which names each
  /// option twice. The input, they and the longest decision fit into one item.
  ///
  /// @param input its length in bytes
  private static List<Question> questions(@Nullable List<Question> asked, int input) {
    List<Question> all = asked == null ? List.of() : asked;
    boolean few =
        all.size() <= Question.MOST
            && all.stream().allMatch(RunnerRequestsController::isWhole)
            && all.stream().map(Question::id).distinct().count() == all.size()
            && all.stream().allMatch(each -> each.options().size() <= Question.MOST);
    if (!few || (!all.isEmpty() && input + bytes(all.toString()).length > MOST_BYTES)) {
      throw Refusal.invalid("questions", "must be whole, and fewer or shorter");
    }
    return all;
  }

  private static boolean isWhole(@Nullable Question asked) {
    return asked != null
        && Stream.of(asked.id(), asked.text(), asked.options()).allMatch(Objects::nonNull)
        && isName(asked.id())
        && asked.options().stream().allMatch(RunnerRequestsController::isWhole);
  }

  private static boolean isWhole(Question.@Nullable Option offered) {
    return offered != null
        && Stream.of(offered.value(), offered.label(), offered.description())
            .allMatch(Objects::nonNull);
  }

  private static String text(String field, @Nullable String value) {
    if (value == null || !isName(value)) {
      throw Refusal.invalid(field, "must have 1 to %d characters".formatted(MOST_NAME));
    }
    return value;
  }

  private static boolean isName(String value) {
    return !value.isEmpty() && value.length() <= MOST_NAME;
  }

  private static String title(RunnerMessages.DecisionRequest request) {
    String title = request.title() == null ? "" : request.title();
    return title.codePointCount(0, title.length()) > MOST_TITLE
        ? title.substring(0, title.offsetByCodePoints(0, MOST_TITLE))
        : title;
  }

  private static ToolPermissions.Kind kind(@Nullable String word) {
    return Arrays.stream(ToolPermissions.Kind.values())
        .filter(kind -> kind != ToolPermissions.Kind.PUSH && kind.word().equals(word))
        .findFirst()
        .orElseThrow(() -> Refusal.invalid("kind", "must be a kind of tools, or host"));
  }

  private String input(@Nullable String input) {
    Optional<byte[]> bytes =
        Optional.ofNullable(input)
            .map(RunnerRequestsController::bytes)
            .filter(text -> text.length <= MOST_BYTES);
    if (bytes.filter(this::isJson).isEmpty()) {
      throw Refusal.invalid("input", "must be JSON of at most %,d bytes".formatted(MOST_BYTES));
    }
    return String.valueOf(input);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private boolean isJson(byte[] text) {
    try {
      json.readValue(text, Object.class);
      return text.length > 0;
    } catch (IOException malformed) {
      return false;
    }
  }

  private static String fingerprint(@Nullable String fingerprint) {
    if (fingerprint == null || !FINGERPRINT.matcher(fingerprint).matches()) {
      throw Refusal.invalid("fingerprint", "must be 64 hexadecimal digits");
    }
    return fingerprint;
  }
}
