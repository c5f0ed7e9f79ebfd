package agentsessions.lambda;

import agentsessions.aws.Budget;
import agentsessions.session.SessionId;
import agentsessions.session.SessionKey;
import agentsessions.session.TurnId;
import agentsessions.session.Workspace;
import agentsessions.turn.TurnSteps;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/// The Lambda entry point of `TurnSteps`: `{"step": "begin" | "fail", "workspace", "session_id",
/// "thread_id", "dispatch", "error"?}` to `{"next": "run" | "wait" | "end", "ticket"?, "url"?}`.
public final class TurnStepsHandler implements RequestStreamHandler {
  private final JsonMapper json;
  private final TurnSteps steps;

  public TurnStepsHandler() {
    this(Map.of());
  }

  public TurnStepsHandler(Map<String, Object> settings) {
    ApplicationContext application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.steps = application.getBean(TurnSteps.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Map<String, Object> event = json.readValue(input, Argument.mapOf(String.class, Object.class));
    output.write(
        json.writeValueAsBytes(
            Budget.within(
                Budget.REQUEST, () -> answer(text(event, "step"), dispatch(event), error(event)))));
  }

  private Map<String, String> answer(String step, TurnSteps.Dispatch dispatch, String error) {
    return switch (step) {
      case "begin" -> answer(steps.begin(dispatch));
      case "fail" -> {
        steps.fail(dispatch, error);
        yield Map.of("next", "end");
      }
      default -> throw new IllegalArgumentException("unknown step " + step);
    };
  }

  private static Map<String, String> answer(TurnSteps.Next next) {
    return switch (next) {
      case TurnSteps.Next.Run run ->
          Map.of("next", "run", "ticket", run.ticket(), "url", run.url());
      case TurnSteps.Next.Wait _ -> Map.of("next", "wait");
      case TurnSteps.Next.End _ -> Map.of("next", "end");
    };
  }

  private static TurnSteps.Dispatch dispatch(Map<String, Object> event) {
    SessionKey session =
        new SessionKey(
            new Workspace(text(event, "workspace")),
            SessionId.parse(text(event, "session_id")).orElseThrow());
    return new TurnSteps.Dispatch(
        session.turn(TurnId.parse(text(event, "thread_id")).orElseThrow()),
        Integer.parseInt(text(event, "dispatch")));
  }

  private static String error(Map<String, Object> event) {
    return String.valueOf(event.get("error"));
  }

  private static String text(Map<String, Object> event, String name) {
    Object value = event.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the event lacks " + name);
    }
    return value.toString();
  }
}
