package agentsessions.aws;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.ecs.model.Container;
import software.amazon.awssdk.services.ecs.model.Task;
import software.amazon.awssdk.services.ecs.model.TaskStopCode;

/// The reason why a stopped task has failed, where another task like it would fail again. A cause
/// that passes by itself (capacity, limits, throttling, the network's set-up) is not such a reason,
/// and neither is one in doubt.
final class TaskFailure {
  private static final int LONGEST = 500;

  private static final Set<TaskStopCode> OWN =
      EnumSet.of(TaskStopCode.TASK_FAILED_TO_START, TaskStopCode.ESSENTIAL_CONTAINER_EXITED);

  /// ECS names an error of a task; what it says of capacity begins as a sentence.
  private static final Pattern NAMED =
      Pattern.compile("\\w+(Error|Exception)\\b.*", Pattern.DOTALL);

  private static final Pattern TEMPORARY =
      Pattern.compile(
          "capacity|RESOURCE:|throttl|rate exceeded|too ?many ?requests|limit|network interface"
              + "|InternalError|ServerException|ServiceUnavailable|SpotInterruption",
          Pattern.CASE_INSENSITIVE);

  private TaskFailure() {}

  static Optional<String> of(Task stopped) {
    if (!OWN.contains(stopped.stopCode()) || !isNamed(stopped)) {
      return Optional.empty();
    }
    return Optional.of(words(stopped))
        .filter(words -> !TEMPORARY.matcher(words).find())
        .map(words -> words.substring(0, Math.min(words.length(), LONGEST)));
  }

  private static boolean isNamed(Task stopped) {
    return stopped.stopCode() == TaskStopCode.ESSENTIAL_CONTAINER_EXITED
        || NAMED.matcher(Objects.requireNonNullElse(stopped.stoppedReason(), "")).matches();
  }

  private static String words(Task stopped) {
    return Stream.concat(
            Stream.of(String.valueOf(stopped.stoppedReason())),
            stopped.containers().stream().flatMap(TaskFailure::words))
        .collect(Collectors.joining("; "));
  }

  private static Stream<String> words(Container container) {
    Stream<String> exit =
        Stream.ofNullable(container.exitCode())
            .map(code -> "%s exited with %d".formatted(container.name(), code));
    Stream<String> reason =
        Stream.ofNullable(container.reason())
            .map(text -> "%s: %s".formatted(container.name(), text));
    return Stream.concat(exit, reason);
  }
}
