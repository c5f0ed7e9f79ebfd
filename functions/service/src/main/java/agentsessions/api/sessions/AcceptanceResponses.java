package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.aws.Executions;
import agentsessions.session.Acceptance;
import agentsessions.session.Idempotency;
import agentsessions.session.Receipt;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.Sha256;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The responses of the POSTs that begin a turn or a job and take an `Idempotency-Key`.
@Singleton
final class AcceptanceResponses {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptanceResponses.class);
  private static final String HEADER = "Idempotency-Key";

  private final Executions executions;

  AcceptanceResponses(Executions executions) {
    this.executions = executions;
  }

  /// The idempotency key of a request to `path`, the resource's concrete path; null where the
  /// client sent none.
  ///
  /// @param hash the hash of the request's body, by which a repeat is recognized
  static @Nullable Idempotency idempotency(Call call, String path, Function<byte[], String> hash) {
    return call.header(HEADER)
        .map(key -> new Idempotency(Sha256.hex(path + "\n" + valid(key)), hash.apply(call.body())))
        .orElse(null);
  }

  static MutableHttpResponse<?> created(Object body) {
    return HttpResponse.created(body).contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  /// The response to an acceptance, whose turn or job is started unless it waits. The first
  /// response and that of every repeat are made in the same way, from the request and its receipt,
  /// so that nothing that happens to the session later is in them.
  HttpResponse<?> answer(
      Acceptance acceptance, Function<Receipt, MutableHttpResponse<?>> response) {
    return switch (acceptance) {
      case Acceptance.Accepted accepted -> {
        if (!accepted.turn().waits()) {
          start(accepted.turn());
        }
        yield response.apply(accepted.turn().receipt());
      }
      case Acceptance.Replayed replayed ->
          response.apply(replayed.receipt()).header("Idempotent-Replayed", "true");
      case Acceptance.Refused refused -> throw refused.refusal();
    };
  }

  /// The turn is written; from here on it cannot be lost, only start later.
  private void start(Turn turn) {
    LOG.atInfo()
        .addKeyValue("session", turn.sessionId())
        .addKeyValue("turn", turn.id())
        .addKeyValue("number", turn.number())
        .log("turn.accepted");
    executions.start(turn.key(), turn.dispatch());
  }

  private static String valid(String key) {
    if (!key.matches("[!-~]([ -~]{0,253}[!-~])?")) {
      throw Refusal.invalid(HEADER, "must be 1 to 255 printable characters");
    }
    return key;
  }
}
