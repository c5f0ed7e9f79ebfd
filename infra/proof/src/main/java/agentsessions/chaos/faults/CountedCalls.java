package agentsessions.chaos.faults;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.SharedRig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The AWS calls of each experiment by its name, counted once in a process and shared by the tests
/// of calls and of prices.
public final class CountedCalls {
  /// The experiments that run on both engines and that the price of a turn is made of.
  private static final Set<String> OF_A_TURN =
      Set.of(
          "create",
          "poll, live",
          "poll, ready",
          "claim",
          "is it live",
          "lease",
          "events",
          "result",
          "release");

  private static @Nullable Map<String, List<AwsCall>> still;
  private static @Nullable Map<String, List<AwsCall>> ofTasks;

  private CountedCalls() {}

  /// The calls of clients, state machine and runners where functions run the turns.
  public static synchronized Map<String, List<AwsCall>> still() throws Exception {
    @Nullable Map<String, List<AwsCall>> counted = still;
    if (counted == null) {
      counted = new CallCounter(SharedRig.STILL.rig()).of(CallCounter.all());
      still = counted;
    }
    return counted;
  }

  /// The calls of a turn where each session has a task, and of operations that exist only there.
  public static synchronized Map<String, List<AwsCall>> ofTasks() throws Exception {
    @Nullable Map<String, List<AwsCall>> counted = ofTasks;
    if (counted == null) {
      List<Experiment> all = new ArrayList<>(TaskExperiments.all());
      CallCounter.all().stream().filter(one -> OF_A_TURN.contains(one.name())).forEach(all::add);
      counted = new CallCounter(SharedRig.OF_TASKS.rig()).of(all);
      ofTasks = counted;
    }
    return counted;
  }
}
