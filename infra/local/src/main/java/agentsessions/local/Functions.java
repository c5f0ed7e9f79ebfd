package agentsessions.local;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.util.Map;

/// The service's Lambda functions, in this JVM.
record Functions(
    RequestStreamHandler api, RequestStreamHandler turnSteps, RequestStreamHandler sweep) {
  static Functions of(Map<String, Object> settings) {
    return new Functions(
        make("agentsessions.api.ApiHandler", settings),
        make("agentsessions.turn.TurnStepsHandler", settings),
        make("agentsessions.turn.SweepHandler", settings));
  }

  private static RequestStreamHandler make(String name, Map<String, Object> settings) {
    try {
      return (RequestStreamHandler)
          Class.forName(name).getConstructor(Map.class).newInstance(settings);
    } catch (ReflectiveOperationException e) {
      return (in, out, context) ->
          out.write(
              "{\"statusCode\":503,\"body\":\"{\\\"code\\\":\\\"UNAVAILABLE\\\"}\",\"next\":\"end\"}"
                  .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }
}
