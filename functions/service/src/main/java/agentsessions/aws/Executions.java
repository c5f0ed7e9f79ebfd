package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import agentsessions.session.id.TurnKey;
import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.InvalidExecutionInputException;

/// The executions of the turns' state machine, to be started and stopped. A lost start only costs
/// time: the sweep finds the turn. A lost stop only costs money: the fence is the lock.
@Singleton
public final class Executions {
  private static final Logger LOG = LoggerFactory.getLogger(Executions.class);

  private final SfnClient client;
  private final JsonMapper json;
  private final String stateMachine;

  Executions(
      SfnClient client, JsonMapper json, @Property(name = "state.machine") String stateMachine) {
    this.client = client;
    this.json = json;
    this.stateMachine = stateMachine;
  }

  /// Starts the execution of one dispatch of a turn; its name makes a repeat harmless. Never throws
  /// for a fault of AWS.
  public void start(TurnKey turn, int dispatch) {
    try {
      String input = input(turn, dispatch);
      SdkCalls.make(() ->
          client.startExecution(start ->
              start.stateMachineArn(stateMachine).name(name(turn, dispatch)).input(input)));
    } catch (ExecutionAlreadyExistsException started) {
      LOG.atDebug()
          .addKeyValue("turn", turn.id())
          .addKeyValue("dispatch", dispatch)
          .log("turn.already_started");
    } catch (SdkException lost) {
      LOG.atWarn()
          .addKeyValue("session", turn.sessionId())
          .addKeyValue("turn", turn.id())
          .addKeyValue("fault", lost.getClass().getSimpleName())
          .log("turn.start_lost");
    }
  }

  /// Stops what may still run for a turn that has ended. Best effort.
  public void stop(TurnKey turn, int dispatch) {
    try {
      String arn =
          stateMachine.replace(":stateMachine:", ":execution:") + ":" + name(turn, dispatch);
      SdkCalls.make(() -> client.stopExecution(stop -> stop.executionArn(arn)));
    } catch (SdkException gone) {
      LOG.atDebug().addKeyValue("turn", turn.id()).log("turn.nothing_to_stop");
    }
  }

  /// A call that Step Functions refuses, since the input is no JSON.
  public void prime() {
    try {
      Object _ =
          SdkCalls.make(() ->
              client.startExecution(
                  start -> start.stateMachineArn(stateMachine).name("nothing").input("-")));
    } catch (InvalidExecutionInputException refused) {
      LOG.atDebug().log("execution.refused");
    }
  }

  private static String name(TurnKey turn, int dispatch) {
    return turn.id() + "-" + dispatch;
  }

  /// Ids only, and always the same bytes for the same dispatch.
  private String input(TurnKey turn, int dispatch) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("workspace", turn.sessionKey().workspace().name());
    input.put("session_id", turn.sessionId().toString());
    input.put("thread_id", turn.id().toString());
    input.put("dispatch", dispatch);
    try {
      return json.writeValueAsString(input);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
