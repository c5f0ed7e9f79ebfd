package agentsessions.aws;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.DescribeTasksRequest;
import software.amazon.awssdk.services.ecs.model.DescribeTasksResponse;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.StopTaskRequest;
import software.amazon.awssdk.services.ecs.model.StopTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/// ECS for tasks of runners: keeps every call, and starts nothing.
///
/// @param status of every task, by its ARN
/// @param ends the descriptions of tasks that have stopped, by their ARNs; may throw
/// @param refusal the answer in place of a start, if any
public record StartedTasks(
    List<RunTaskRequest> asked,
    List<String> stopped,
    Map<String, String> status,
    Map<String, Supplier<Task>> ends,
    AtomicReference<@Nullable Supplier<RunTaskResponse>> refusal)
    implements EcsClient, AwsStandIn {
  public StartedTasks() {
    this(
        new CopyOnWriteArrayList<>(),
        new CopyOnWriteArrayList<>(),
        new ConcurrentHashMap<>(),
        new ConcurrentHashMap<>(),
        new AtomicReference<>());
  }

  public RunnerTasks runners() {
    return new RunnerTasks(this, "cluster", "definition", List.of("a", "b"), "group", false);
  }

  /// The environment of the container of a task that was asked for.
  public static Map<String, String> environment(RunTaskRequest asked, String container) {
    return asked.overrides().containerOverrides().stream()
        .filter(one -> one.name().equals(container))
        .flatMap(one -> one.environment().stream())
        .collect(Collectors.toMap(KeyValuePair::name, KeyValuePair::value));
  }

  @Override
  public RunTaskResponse runTask(RunTaskRequest request) {
    Supplier<RunTaskResponse> refused = refusal.get();
    if (refused != null) {
      return refused.get();
    }
    asked.add(request);
    String task = "task/" + request.clientToken();
    status.put(task, "PROVISIONING");
    return RunTaskResponse.builder().tasks(Task.builder().taskArn(task).build()).build();
  }

  @Override
  public StopTaskResponse stopTask(StopTaskRequest request) {
    stopped.add(request.task());
    return StopTaskResponse.builder().build();
  }

  @Override
  public DescribeTasksResponse describeTasks(DescribeTasksRequest request) {
    return DescribeTasksResponse.builder()
        .tasks(request.tasks().stream().filter(status::containsKey).map(this::described).toList())
        .build();
  }

  private Task described(String task) {
    return ends.getOrDefault(
            task, () -> Task.builder().taskArn(task).lastStatus(status.get(task)).build())
        .get();
  }
}
