package agentsessions.runner.start;

import agentsessions.runner.agent.Json;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.turn.Invocation;
import agentsessions.runner.turn.Machine;
import agentsessions.runner.turn.MaskedLog;
import agentsessions.runner.turn.TurnWorker;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/// The Lambda handler of the runner: runs one turn for each invocation.
///
/// The response is `{"spent": false}`; true says that turns have left too much behind in this
/// process, which then should take no other. The outcome of the turn is reported by the protocol.
/// An invocation fails if the turn could be neither claimed nor reported, and then the state
/// machine closes the turn.
public final class RunnerHandler implements RequestStreamHandler {
  private final TurnWorker turns;

  /// The constructor for Lambda; {@link Machine} describes the variables.
  public RunnerHandler() {
    this(Machine.of(System.getenv()));
    MaskedLog.begin();
  }

  public RunnerHandler(Machine machine) {
    this.turns = new TurnWorker(machine, Optional.empty(), Duration.ZERO);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Deadline time = Deadline.of(Duration.ofMillis(context.getRemainingTimeInMillis()));
    output.write(answer(input, time));
  }

  /// Runs the turn of an invocation, and returns the response.
  byte[] answer(InputStream event, Deadline time) throws IOException {
    run(Json.MAPPER.readValue(event, Invocation.class), time);
    boolean isSpent = ProcessHealth.countTurn(turns.running());
    return "{\"spent\": %s}".formatted(isSpent).getBytes(StandardCharsets.UTF_8);
  }

  /// Runs the turn of an invocation.
  ///
  /// @param time the deadline, after which Lambda ends the process
  public void run(Invocation invocation, Deadline time) throws IOException {
    Optional<ServiceClient> _ = turns.run(invocation, time);
  }
}
