package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import agentsessions.table.RetryDeadline;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.ecs.model.AssignPublicIp;
import software.amazon.awssdk.services.ecs.model.AwsVpcConfiguration;
import software.amazon.awssdk.services.ecs.model.BlockedException;
import software.amazon.awssdk.services.ecs.model.CapacityProviderStrategyItem;
import software.amazon.awssdk.services.ecs.model.ClientException;
import software.amazon.awssdk.services.ecs.model.ContainerOverride;
import software.amazon.awssdk.services.ecs.model.EcsException;
import software.amazon.awssdk.services.ecs.model.InvalidParameterException;
import software.amazon.awssdk.services.ecs.model.KeyValuePair;
import software.amazon.awssdk.services.ecs.model.LaunchType;
import software.amazon.awssdk.services.ecs.model.LimitExceededException;
import software.amazon.awssdk.services.ecs.model.RunTaskRequest;
import software.amazon.awssdk.services.ecs.model.RunTaskResponse;
import software.amazon.awssdk.services.ecs.model.Task;

/// The launcher of runners as tasks of ECS, each of two containers: the runner with its ticket, and
/// beside it the proxy with the models' keys. Only these two know the secret by which the runner
/// calls the proxy.
@Singleton
public final class RunnerTasks implements RunnerLauncher {
  /// A task takes half a minute to a minute to start; its image may be large.
  private static final Duration CLAIM_TIME = Duration.ofMinutes(3);

  /// The longest wait for the reason of a failure, since the sweep must go on.
  private static final Duration TO_ASK = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(RunnerTasks.class);
  private static final String RUNNER = "runner";
  private static final String PROXY = "proxy";
  private static final String RUNNING = "RUNNING";
  private static final String STOPPED = "STOPPED";
  private static final CapacityProviderStrategyItem SPOT =
      CapacityProviderStrategyItem.builder().capacityProvider("FARGATE_SPOT").weight(1).build();

  private final EcsClient client;
  private final Place place;

  /// The cluster, definition and network of the tasks.
  ///
  /// @param spot whether they run on capacity that may be taken away, for a third of the price
  record Place(
      String cluster,
      String definition,
      List<String> subnets,
      String securityGroup,
      boolean spot) {}

  RunnerTasks(
      EcsClient client,
      @Property(name = "cluster", defaultValue = "") String cluster,
      @Property(name = "task.definition", defaultValue = "") String definition,
      @Property(name = "subnets", defaultValue = "") List<String> subnets,
      @Property(name = "security.group", defaultValue = "") String securityGroup,
      @Property(name = "spot", defaultValue = "false") boolean spot) {
    this.client = client;
    this.place = new Place(cluster, definition, subnets, securityGroup, spot);
  }

  /// Starts a task. Its client token names the launch, so that a repeat starts nothing more.
  @Override
  public Launched launch(Launch launch) {
    RunTaskRequest request = request(launch);
    try {
      RunTaskResponse answer = SdkCalls.make(() -> client.runTask(request));
      return answer.tasks().isEmpty()
          ? noRoom(launch, reasons(answer))
          : new Launched.Begun(Optional.of(answer.tasks().getFirst().taskArn()));
    } catch (ClientException refused) {
      return isMistake(refused)
          ? RunnerLauncher.refused(launch, refused)
          : noRoom(launch, String.valueOf(refused.getMessage()));
    } catch (LimitExceededException | BlockedException full) {
      return noRoom(launch, full.getClass().getSimpleName());
    } catch (EcsException refused) {
      if (refused.isThrottlingException()) {
        return noRoom(launch, "throttled");
      }
      return refused.statusCode() < 500
          ? RunnerLauncher.refused(launch, refused)
          : unheard(launch, refused);
    } catch (SdkException unheard) {
      return unheard(launch, unheard);
    }
  }

  @Override
  public Duration claimTime() {
    return CLAIM_TIME;
  }

  /// Stops a task. True once it is gone; until then the call is to be repeated.
  ///
  /// @param task its ARN, as its launch gave it
  public boolean stop(String task) {
    if (isGone(task)) {
      return true;
    }
    try {
      Object _ =
          SdkCalls.make(() ->
              client.stopTask(
                  stop -> stop.cluster(place.cluster()).task(task).reason("its turn has ended")));
    } catch (InvalidParameterException unknown) {
      return true;
    }
    return false;
  }

  /// The reason why a task that was started has not claimed its turn: its own failure, in ECS's
  /// words, or `RUNNING` where it still runs. Empty where it was not started, where it ended for
  /// lack of capacity, and where the reason cannot be read now, or any more.
  ///
  /// @param task its ARN, as its launch gave it
  public Optional<String> failure(String task) {
    try {
      return RetryDeadline.within(TO_ASK, () -> described(task)).stream()
          .findFirst()
          .flatMap(
              found -> RUNNING.equals(found.lastStatus()) ? Optional.of(RUNNING) : failure(found));
    } catch (SdkException unheard) {
      LOG.atWarn()
          .addKeyValue("task", task)
          .addKeyValue("fault", unheard.getClass().getSimpleName())
          .log("task.not_described");
      return Optional.empty();
    }
  }

  private static Optional<String> failure(Task found) {
    return Optional.of(found)
        .filter(task -> STOPPED.equals(task.lastStatus()))
        .flatMap(TaskFailure::of);
  }

  private boolean isGone(String task) {
    return described(task).stream().allMatch(found -> STOPPED.equals(found.lastStatus()));
  }

  private List<Task> described(String task) {
    return SdkCalls.make(
            () -> client.describeTasks(ask -> ask.cluster(place.cluster()).tasks(task)))
        .tasks();
  }

  private RunTaskRequest request(Launch launch) {
    RunTaskRequest.Builder request =
        RunTaskRequest.builder()
            .cluster(place.cluster())
            .taskDefinition(place.definition())
            .count(1)
            .clientToken(
                "%s-%d-%d".formatted(launch.turn().id(), launch.dispatch(), launch.attempt()))
            .startedBy(launch.session().toString())
            .networkConfiguration(network -> network.awsvpcConfiguration(this::connect))
            .overrides(all -> all.containerOverrides(overrides(launch, secret())));
    return place.spot()
        ? request.capacityProviderStrategy(SPOT).build()
        : request.launchType(LaunchType.FARGATE).build();
  }

  private void connect(AwsVpcConfiguration.Builder network) {
    network
        .subnets(place.subnets())
        .securityGroups(place.securityGroup())
        .assignPublicIp(AssignPublicIp.ENABLED);
  }

  /// @param secret by which the runner's container asks the proxy's for the models' keys
  private static List<ContainerOverride> overrides(Launch launch, String secret) {
    Map<String, String> runner =
        Map.of(
            "TICKET", launch.ticket(),
            "URL", launch.url(),
            "ATTEMPT", String.valueOf(launch.attempt()),
            "SESSION_ID", launch.session().toString(),
            "TASK_SECRET", secret);
    return List.of(override(RUNNER, runner), override(PROXY, Map.of("TASK_SECRET", secret)));
  }

  private static ContainerOverride override(String container, Map<String, String> environment) {
    List<KeyValuePair> variables =
        environment.entrySet().stream()
            .map(one -> KeyValuePair.builder().name(one.getKey()).value(one.getValue()).build())
            .toList();
    return ContainerOverride.builder().name(container).environment(variables).build();
  }

  /// ECS has one error for the account's quotas, which pass, and for a task definition that is not
  /// there or inactive and a role that cannot be assumed, which do not. Words that are not known
  /// here are taken for a quota.
  private static boolean isMistake(ClientException refused) {
    String why = String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
    return why.contains("inactive")
        || why.contains("not found")
        || why.contains("unable to assume");
  }

  private static Launched noRoom(Launch launch, String why) {
    log(launch, why, "turn.launch_refused");
    return new Launched.NoRoom();
  }

  private static Launched unheard(Launch launch, SdkException fault) {
    log(launch, fault.getClass().getSimpleName(), "turn.launch_unheard");
    return new Launched.Unheard();
  }

  private static void log(Launch launch, String why, String event) {
    LOG.atWarn().addKeyValue("session", launch.session()).addKeyValue("fault", why).log(event);
  }

  private static String reasons(RunTaskResponse answer) {
    return String.join(
        ", ", answer.failures().stream().map(failure -> String.valueOf(failure.reason())).toList());
  }

  /// 256 random bits.
  private static String secret() {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }
}
