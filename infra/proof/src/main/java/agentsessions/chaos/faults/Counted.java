package agentsessions.chaos.faults;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.SharedRig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The AWS calls of each experiment by its name, counted once in a process: which they are and what
/// they cost are two questions about the same count.
public final class Counted {
  /// Of what happens on either engine, that of which turns on each are made.
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

  private Counted() {}

  /// Of all that clients, state machine and runners do where functions run turns.
  public static synchronized Map<String, List<AwsCall>> still() throws Exception {
    @Nullable Map<String, List<AwsCall>> counted = still;
    if (counted == null) {
      counted = new Calls(SharedRig.STILL.rig()).of(Calls.all());
      still = counted;
    }
    return counted;
  }

  /// Of a turn where its session has a task, and of what is other or there besides.
  public static synchronized Map<String, List<AwsCall>> ofTasks() throws Exception {
    @Nullable Map<String, List<AwsCall>> counted = ofTasks;
    if (counted == null) {
      List<Experiment> all = new ArrayList<>(TaskExperiments.all());
      Calls.all().stream().filter(one -> OF_A_TURN.contains(one.name())).forEach(all::add);
      counted = new Calls(SharedRig.OF_TASKS.rig()).of(all);
      ofTasks = counted;
    }
    return counted;
  }
}
