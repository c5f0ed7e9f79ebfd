package agentsessions.protocol;

import agentsessions.session.Refusal;
import agentsessions.session.id.SessionKey;
import agentsessions.store.session.Turns;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.turn.RunnerCredential;
import agentsessions.wire.RunnerMessages;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.QueryValue;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The endpoint by which a runner learns that its turn is over: by polling or, where the claim says
/// so, by a long poll that is answered when the turn ends.
@Controller("/runner/v1")
class LivenessController {
  private static final int MOST_SECONDS = 20;

  private final RunnerTokenCheck tokens;
  private final ChangeSignal signal;

  LivenessController(Turns turns, ChangeSignal signal) {
    this.tokens = new RunnerTokenCheck(turns);
    this.signal = signal;
  }

  /// Whether the turn is still this runner's. Every end of a turn changes its session, so that it
  /// is enough to read it again when that was written.
  @Get("/turn")
  RunnerMessages.Live live(
      @Header(HttpHeaders.AUTHORIZATION) @Nullable String authorization,
      @QueryValue @Nullable String wait) {
    RunnerCredential token = RunnerTokenCheck.credential(authorization);
    long end = System.nanoTime() + most(wait, signal).toNanos();
    SessionKey key = token.turn().sessionKey();
    try (ChangeSignal.Watch watch = signal.watch(key, Layout.meta(key)::equals)) {
      boolean live = isLive(token);
      while (live && watch.await(Duration.ofNanos(end - System.nanoTime()))) {
        live = isLive(token);
      }
      return new RunnerMessages.Live(live);
    }
  }

  private boolean isLive(RunnerCredential token) {
    return tokens.turn(token).isRunning();
  }

  /// The time for which an answer may wait for changes.
  static Duration most(@Nullable String wait, ChangeSignal signal) {
    return Collections.min(List.of(seconds(wait), signal.longestWait()));
  }

  private static Duration seconds(@Nullable String wait) {
    if (wait != null && !wait.matches("1?[0-9]|" + MOST_SECONDS)) {
      throw Refusal.invalid("wait", "must be a whole number from 0 to " + MOST_SECONDS);
    }
    return Duration.ofSeconds(wait == null ? 0 : Integer.parseInt(wait));
  }
}
