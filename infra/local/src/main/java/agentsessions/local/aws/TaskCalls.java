package agentsessions.local.aws;

import agentsessions.local.process.ContainerTask;
import agentsessions.local.process.TaskEngine;
import agentsessions.local.steps.StepError;
import agentsessions.local.steps.StepFunctions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The ECS API, as far as the service calls it. Any cluster is there, and all task definitions are
/// the same.
final class TaskCalls {
  private static final String SERVICE = "AmazonEC2ContainerServiceV20141113.";
  private static final String ARN = "arn:aws:ecs:us-east-1:000000000000:task/";

  /// The limit of tasks at once.
  private static final int MOST = 32;

  /// The time for which an ended task can still be described.
  private static final Duration KEPT = Duration.ofHours(1);

  private final TaskEngine tasks;
  private final Watcher watcher;
  private final Clock clock;

  /// Tasks by their client tokens (idempotency keys); guarded by this.
  private final Map<String, Known> known = new LinkedHashMap<>();

  TaskCalls(TaskEngine tasks, Watcher watcher, Clock clock) {
    this.tasks = tasks;
    this.watcher = watcher;
    this.clock = clock;
  }

  /// A listener for the end of tasks.
  @FunctionalInterface
  interface Watcher {
    /// Called once for each task.
    ///
    /// @param execution the execution of the turn that started the task
    void ended(String execution, ContainerTask task);
  }

  /// A listener that completes or fails the waiting step of the turn that started the task, if the
  /// runner has not done so: without its task a turn cannot go on.
  static Watcher telling(StepFunctions turns) {
    return (execution, task) -> {
      @Nullable Integer exit = task.exit();
      if (exit != null && exit == 0) {
        turns.endTask(execution);
      } else {
        turns.failTask(execution, new StepError(StepError.ENDED, "the runner's task has ended"));
      }
    };
  }

  /// @param arn its name, which has its cluster's
  /// @param stopped the time of its end; null while it runs
  private record Known(ContainerTask task, String arn, @Nullable Instant stopped) {
    boolean isOver(Instant past) {
      return stopped != null && stopped.isBefore(past);
    }
  }

  static boolean isOne(String target) {
    return target.startsWith(SERVICE);
  }

  ObjectNode answer(String target, JsonNode request) {
    return switch (target.substring(SERVICE.length())) {
      case "RunTask" -> run(request);
      case "StopTask" -> stop(request);
      case "DescribeTasks" -> describe(request);
      case "ListTasks" -> list(request);
      case "DeleteCluster" -> deleteCluster();
      default -> throw new AwsRefusal("UnknownOperationException", "not known here: " + target);
    };
  }

  private synchronized ObjectNode run(JsonNode request) {
    forget();
    String token = request.path("clientToken").asText(UUID.randomUUID().toString());
    @Nullable Known present = known.get(token);
    if (present != null) {
      return launched(described(present), null);
    }
    if (tasks.count() >= MOST) {
      return launched(null, failure(null, "RESOURCE:MEMORY"));
    }
    ContainerTask task = started(token, request);
    String cluster = request.path("cluster").asText("default");
    String arn = ARN + cluster.substring(cluster.lastIndexOf('/') + 1) + "/" + task.id();
    Known fresh = new Known(task, arn, null);
    known.put(token, fresh);
    return launched(described(fresh), null);
  }

  private ContainerTask started(String token, JsonNode request) {
    Map<String, String> runner = environment(request, "runner");
    String id = UUID.randomUUID().toString().replace("-", "");
    Optional<String> execution = RunnerTicket.execution(runner.getOrDefault("TICKET", ""));
    return tasks.start(
        id, runner, environment(request, "proxy"), task -> ended(token, task, execution));
  }

  private void ended(String token, ContainerTask task, Optional<String> execution) {
    synchronized (this) {
      known.computeIfPresent(token, (_, one) -> new Known(task, one.arn(), clock.instant()));
    }
    execution.ifPresent(name -> watcher.ended(name, task));
  }

  private synchronized ObjectNode stop(JsonNode request) {
    Known found =
        find(request.path("task").asText())
            .orElseThrow(() ->
                new AwsRefusal("InvalidParameterException", "The referenced task was not found."));
    found.task().stop(request.path("reason").asText("stopped"));
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.set("task", described(found));
    return answer;
  }

  /// Filters by the desired status, as ECS does: a task that is stopping counts as stopped.
  private synchronized ObjectNode list(JsonNode request) {
    boolean stopped =
        request.path("desiredStatus").asText().equals(ContainerTask.Status.STOPPED.name());
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode arns = answer.putArray("taskArns");
    known.values().stream()
        .filter(each -> (each.task().reason() != null || hasEnded(each.task())) == stopped)
        .forEach(each -> arns.add(each.arn()));
    return answer;
  }

  /// There is nothing to delete, but as on AWS it fails while tasks are active.
  private synchronized ObjectNode deleteCluster() {
    if (!known.values().stream().map(Known::task).allMatch(TaskCalls::hasEnded)) {
      throw new AwsRefusal(
          "ClusterContainsTasksException", "The Cluster cannot be deleted while Tasks are active.");
    }
    return JsonNodeFactory.instance.objectNode();
  }

  private static boolean hasEnded(ContainerTask task) {
    return task.status() == ContainerTask.Status.STOPPED;
  }

  private synchronized ObjectNode describe(JsonNode request) {
    forget();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode described = answer.putArray("tasks");
    ArrayNode failures = answer.putArray("failures");
    for (JsonNode asked : request.path("tasks")) {
      find(asked.asText())
          .ifPresentOrElse(
              task -> described.add(described(task)),
              () -> failures.add(failure(asked.asText(), "MISSING")));
    }
    return answer;
  }

  /// The task of an ARN or of a bare id.
  private Optional<Known> find(String asked) {
    String id = asked.substring(asked.lastIndexOf('/') + 1);
    return known.values().stream().filter(each -> each.task().id().equals(id)).findFirst();
  }

  private void forget() {
    Instant past = clock.instant().minus(KEPT);
    boolean _ = known.values().removeIf(task -> task.isOver(past));
  }

  private static Map<String, String> environment(JsonNode request, String container) {
    Map<String, String> environment = new HashMap<>();
    for (JsonNode override : request.path("overrides").path("containerOverrides")) {
      if (override.path("name").asText().equals(container)) {
        override
            .path("environment")
            .forEach(
                pair -> environment.put(pair.path("name").asText(), pair.path("value").asText()));
      }
    }
    return environment;
  }

  private static ObjectNode described(Known known) {
    ContainerTask task = known.task();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("taskArn", known.arn())
            .put("lastStatus", task.status().name());
    if (task.status() == ContainerTask.Status.STOPPED) {
      @Nullable String reason = task.reason();
      node.put("stopCode", stopCode(task))
          .put("stoppedReason", reason == null ? "Essential container in task exited" : reason);
      containers(node, task);
    }
    return node;
  }

  private static String stopCode(ContainerTask task) {
    if (task.isUnstarted()) {
      return "TaskFailedToStart";
    }
    return task.reason() == null ? "EssentialContainerExited" : "UserInitiated";
  }

  private static void containers(ObjectNode node, ContainerTask task) {
    @Nullable Integer exit = task.exit();
    ObjectNode runner = node.putArray("containers").addObject().put("name", "runner");
    if (exit != null) {
      runner.put("exitCode", exit);
    }
  }

  private static ObjectNode launched(@Nullable ObjectNode task, @Nullable ObjectNode failure) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode tasks = answer.putArray("tasks");
    ArrayNode failures = answer.putArray("failures");
    if (task != null) {
      tasks.add(task);
    }
    if (failure != null) {
      failures.add(failure);
    }
    return answer;
  }

  private static ObjectNode failure(@Nullable String arn, String reason) {
    ObjectNode failure = JsonNodeFactory.instance.objectNode().put("reason", reason);
    return arn == null ? failure : failure.put("arn", arn);
  }
}
