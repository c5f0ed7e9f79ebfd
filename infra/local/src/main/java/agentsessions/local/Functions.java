package agentsessions.local;

import agentsessions.lambda.ApiHandler;
import agentsessions.lambda.ExportHandler;
import agentsessions.lambda.SweepHandler;
import agentsessions.lambda.TurnStepsHandler;
import agentsessions.lambda.WebhooksHandler;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.util.Map;

/// The service's Lambda functions, run in this JVM.
record Functions(
    RequestStreamHandler api,
    RequestStreamHandler turnSteps,
    RequestStreamHandler sweep,
    RequestStreamHandler export,
    RequestStreamHandler webhooks) {
  /// @param settings what the functions read from their environment on Lambda
  static Functions of(Map<String, Object> settings) {
    return new Functions(
        new ApiHandler(settings),
        new TurnStepsHandler(settings),
        new SweepHandler(settings),
        new ExportHandler(settings),
        new WebhooksHandler(settings));
  }
}
