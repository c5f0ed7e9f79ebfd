package agentsessions.runner.start;

import agentsessions.runner.agent.Json;
import agentsessions.runner.control.Control;
import agentsessions.runner.control.TimeLeft;
import agentsessions.runner.turn.Invocation;
import agentsessions.runner.turn.Machine;
import agentsessions.runner.turn.MaskedLog;
import agentsessions.runner.turn.Turns;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// Runs one turn an invocation.
///
/// The answer is `{"spent": false}`; true says that the turn left something behind in this process,
/// which then should take no other. What became of the turn, the service knows from the protocol.
/// An invocation fails when the turn could be neither claimed nor reported, and then the state
/// machine closes the turn.
public final class RunnerHandler implements RequestStreamHandler {
  private final Turns turns;

  /// As Lambda makes it; for the variables see {@link Machine}.
  public RunnerHandler() {
    this(Machine.of(System.getenv()));
    MaskedLog.begin();
  }

  public RunnerHandler(Machine machine) {
    this.turns = new Turns(machine, Optional.empty(), Duration.ZERO);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    TimeLeft time = TimeLeft.of(Duration.ofMillis(context.getRemainingTimeInMillis()));
    run(Json.MAPPER.readValue(input, Invocation.class), time);
    output.write("{\"spent\": %s}".formatted(Wear.isSpent()).getBytes(StandardCharsets.UTF_8));
  }

  /// Runs the turn of an invocation.
  ///
  /// @param time after which Lambda ends the process
  public void run(Invocation invocation, TimeLeft time) throws IOException {
    Optional<Control> _ = turns.run(invocation, time);
  }
}
