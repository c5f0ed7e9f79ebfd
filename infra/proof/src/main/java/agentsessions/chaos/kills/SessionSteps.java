package agentsessions.chaos.kills;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/// The steps that the sessions of an experiment take, all at once, and what fails in them. A
/// failure is printed when it happens, since a run may take hours, and its session takes no more
/// steps.
///
/// @param <S> a session, whose text says which it is
final class SessionSteps<S> {
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final Set<S> failed = ConcurrentHashMap.newKeySet();

  @FunctionalInterface
  interface Step<S> {
    void take(S session) throws Exception;
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /// Returns when all have taken the step.
  void each(ExecutorService threads, List<S> sessions, Step<S> step) throws Exception {
    List<Callable<Void>> all = new ArrayList<>();
    for (S session : sessions) {
      all.add(() -> take(step, session));
    }
    for (Future<Void> done : threads.invokeAll(all)) {
      done.get();
    }
  }

  private Void take(Step<S> step, S session) {
    if (!failed.contains(session)) {
      try {
        step.take(session);
      } catch (Exception | AssertionError wrong) {
        failed.add(session);
        failures.add("%s: %s".formatted(session, wrong));
        System.out.printf("  failed: %s: %s%n", session, wrong);
      }
    }
    return null;
  }
}
