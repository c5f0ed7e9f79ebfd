package agentsessions.aws;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.SendTaskFailureRequest;
import software.amazon.awssdk.services.sfn.model.SendTaskFailureResponse;
import software.amazon.awssdk.services.sfn.model.SendTaskHeartbeatRequest;
import software.amazon.awssdk.services.sfn.model.SendTaskHeartbeatResponse;
import software.amazon.awssdk.services.sfn.model.SendTaskSuccessRequest;
import software.amazon.awssdk.services.sfn.model.SendTaskSuccessResponse;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionResponse;

/// Step Functions for the results of tasks: keeps every call, such as `success token`.
public record RecordedTaskCalls(List<String> calls) implements SfnClient, AwsStandIn {
  public RecordedTaskCalls() {
    this(new CopyOnWriteArrayList<>());
  }

  @Override
  public SendTaskSuccessResponse sendTaskSuccess(SendTaskSuccessRequest request) {
    calls.add("success " + request.taskToken());
    return SendTaskSuccessResponse.builder().build();
  }

  @Override
  public SendTaskFailureResponse sendTaskFailure(SendTaskFailureRequest request) {
    calls.add(request.error() + " " + request.taskToken());
    return SendTaskFailureResponse.builder().build();
  }

  @Override
  public SendTaskHeartbeatResponse sendTaskHeartbeat(SendTaskHeartbeatRequest request) {
    calls.add("beat " + request.taskToken());
    return SendTaskHeartbeatResponse.builder().build();
  }

  @Override
  public StartExecutionResponse startExecution(StartExecutionRequest request) {
    return StartExecutionResponse.builder().build();
  }

  @Override
  public StopExecutionResponse stopExecution(StopExecutionRequest request) {
    return StopExecutionResponse.builder().build();
  }
}
