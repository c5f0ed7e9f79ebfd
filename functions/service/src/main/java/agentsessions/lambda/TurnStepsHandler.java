package agentsessions.lambda;

import agentsessions.aws.RefusedCalls;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.table.RetryDeadline;
import agentsessions.turn.TurnSteps;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The Lambda entry point of `TurnSteps`: `{"step": "run" | "fail", "workspace", "session_id",
/// "thread_id", "dispatch"}`, for `run` with `attempt` and the task's `token`, for `fail` with
/// `error`, to `{}`. It also takes Lambda's records of failed launches, by SNS ([FailedLaunch]).
public final class TurnStepsHandler implements RequestStreamHandler {
  private final ApplicationContext application;
  private final JsonMapper json;
  private final TurnSteps steps;

  public TurnStepsHandler() {
    this(Map.of());
    RefusedCalls.expected(this::prime);
  }

  /// Acts on a turn that is not there, and makes the calls for which this stops too early.
  public void prime() {
    Priming.event(
        this,
        """
        {"step":"run","workspace":"-","session_id":"%s","thread_id":"%s","dispatch":0,\
        "attempt":0,"token":"-"}\
        """
            .formatted(Priming.SESSION, Priming.ONE));
    Priming.load();
    Priming.write(application);
    Priming.launch(application);
  }

  public TurnStepsHandler(Map<String, Object> settings) {
    this.application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.steps = application.getBean(TurnSteps.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    Map<String, Object> event = json.readValue(input, Argument.mapOf(String.class, Object.class));
    if (!WakeUps.isOne(event)) {
      handle(event);
    }
    output.write("{}".getBytes(StandardCharsets.UTF_8));
  }

  private void handle(Map<String, Object> event) throws IOException {
    if (FailedLaunch.isBrought(event)) {
      List<FailedLaunch> failed = FailedLaunch.of(event, json);
      RetryDeadline.run(
          RetryDeadline.REQUEST,
          () -> failed.forEach(launch -> steps.launchFailed(launch.ticket(), launch.error())));
    } else {
      RetryDeadline.run(RetryDeadline.REQUEST, () -> act(event, dispatch(event)));
    }
  }

  private void act(Map<String, Object> event, TurnSteps.Dispatch dispatch) {
    switch (text(event, "step")) {
      case "run" ->
          steps.run(dispatch, Integer.parseInt(text(event, "attempt")), text(event, "token"));
      case "fail" -> steps.fail(dispatch, String.valueOf(event.get("error")));
      default -> throw new IllegalArgumentException("unknown step " + event.get("step"));
    }
  }

  private static TurnSteps.Dispatch dispatch(Map<String, Object> event) {
    SessionKey key =
        new SessionKey(
            new Workspace(text(event, "workspace")),
            SessionId.parse(text(event, "session_id")).orElseThrow());
    return new TurnSteps.Dispatch(
        key.turn(TurnId.parse(text(event, "thread_id")).orElseThrow()),
        Integer.parseInt(text(event, "dispatch")));
  }

  private static String text(Map<String, Object> event, String name) {
    Object value = event.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the event lacks " + name);
    }
    return value.toString();
  }
}
