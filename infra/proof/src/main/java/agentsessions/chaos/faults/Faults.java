package agentsessions.chaos.faults;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.Rig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Fault injection: each AWS call of each experiment meets each fault that can happen to it.
public final class Faults {
  private static final int AT_ONCE = 12;

  private final Rig rig;
  private final int stride;
  private final Set<String> met = new HashSet<>();
  private int pairs;
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger runs = new AtomicInteger();

  public Faults(Rig rig) {
    this(rig, 1);
  }

  /// @param stride one in so many pairs of a call and a fault is tried, and also the first pair of
  ///   each experiment and of each fault; the choice is the same in each run
  Faults(Rig rig, int stride) {
    this.rig = rig;
    this.stride = stride;
  }

  /// Runs each experiment once for each pair of one of its calls and a fault, which happens `times`
  /// times in a row, beginning at that call.
  public Faults meet(List<Experiment> experiments, Collection<Fault> faults, int times)
      throws Exception {
    List<Callable<Void>> all = new ArrayList<>();
    for (Experiment experiment : experiments) {
      List<Callable<Void>> attempts = attempts(experiment, faults, times);
      all.addAll(experiment.changes() ? attempts : List.of(oneByOne(attempts)));
    }
    together(all);
    return this;
  }

  /// The same, one run at a time, for experiments that would disturb each other.
  public Faults meetOneByOne(List<Experiment> experiments, Collection<Fault> faults, int times)
      throws Exception {
    for (Experiment experiment : experiments) {
      oneByOne(attempts(experiment, faults, times)).call();
    }
    return this;
  }

  private List<Callable<Void>> attempts(Experiment experiment, Collection<Fault> faults, int times)
      throws Exception {
    ExperimentRun scene = prepared(experiment);
    List<AwsCall> plain = calls(experiment, scene);
    List<Callable<Void>> attempts = new ArrayList<>();
    for (int k = 0; k < plain.size(); k++) {
      for (Fault fault : faults) {
        if (fault.concerns(plain.get(k)) && isChosen(experiment, fault)) {
          attempts.add(attempt(experiment, scene, plain.get(k), fault, k, times));
        }
      }
    }
    return attempts;
  }

  private boolean isChosen(Experiment experiment, Fault fault) {
    boolean newExperiment = met.add(experiment.name());
    boolean newFault = met.add(fault.name());
    return pairs++ % stride == 0 || newExperiment || newFault;
  }

  public List<String> failures() {
    return failures;
  }

  public String figures() {
    return "%d AWS calls, %d runs with a fault, %d failed"
        .formatted(calls.get(), runs.get(), failures.size());
  }

  private Callable<Void> attempt(
      Experiment experiment, ExperimentRun scene, AwsCall call, Fault fault, int k, int times) {
    return () -> {
      runs.incrementAndGet();
      try {
        run(experiment, experiment.changes() ? prepared(experiment) : scene, from(k, times, fault));
      } catch (Exception | AssertionError failed) {
        failures.add(
            "%s, %s (call %d) %s x %d: %s"
                .formatted(experiment.name(), call.operation(), k, fault, times, failed));
      }
      return null;
    };
  }

  /// The AWS calls of an experiment without faults.
  private List<AwsCall> calls(Experiment experiment, ExperimentRun scene) throws Exception {
    List<AwsCall> plain = Collections.synchronizedList(new ArrayList<>());
    run(
        experiment,
        scene,
        (call, onward) -> {
          plain.add(call);
          return rig.still(call, onward);
        });
    calls.addAndGet(plain.size());
    return plain;
  }

  private ExperimentRun prepared(Experiment experiment) throws Exception {
    ExperimentRun scene = new ExperimentRun(rig);
    experiment.prepare().run(scene);
    return scene;
  }

  private void run(Experiment experiment, ExperimentRun scene, AwsProxy.Rule rule)
      throws Exception {
    List<String> marks = scene.marks();
    try {
      marks.forEach(mark -> rig.wire().rule(mark, rule));
      experiment.act().run(scene);
    } finally {
      marks.forEach(rig.wire()::forget);
    }
    experiment.check().run(scene);
  }

  private AwsProxy.Rule from(int first, int times, Fault fault) {
    AtomicInteger seen = new AtomicInteger();
    return (call, onward) -> {
      int k = seen.getAndIncrement();
      return k >= first && k < first + times
          ? fault.reply(call, () -> rig.still(call, onward))
          : rig.still(call, onward);
    };
  }

  private static Callable<Void> oneByOne(List<Callable<Void>> runs) {
    return () -> {
      for (Callable<Void> run : runs) {
        run.call();
      }
      return null;
    };
  }

  private static void together(List<Callable<Void>> all) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Void> done : threads.invokeAll(all)) {
        done.get();
      }
    }
  }
}
