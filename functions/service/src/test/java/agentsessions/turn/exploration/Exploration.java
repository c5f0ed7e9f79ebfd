package agentsessions.turn.exploration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Runs a scenario again and again, each time another way: every way with up to a number of
/// deviations from the ordinary course (a preemption, a crash, a lost answer …) and jumps of time,
/// or ways drawn at random from a seed. A state that was met before is not followed again.
final class Exploration {
  /// The numbers of runs and of states, whether these are all, and the first violation, with the
  /// run that led to it.
  record Result(int runs, int states, boolean complete, Optional<Found> found) {}

  record Found(Throwable violation, List<String> trace) {
    @Override
    public String toString() {
      return violation + "\n  " + String.join("\n  ", trace);
    }
  }

  private final Scenario scenario;
  private final ScheduledTable.Sabotage sabotage;

  Exploration(Scenario scenario, ScheduledTable.Sabotage sabotage) {
    this.scenario = scenario;
    this.sabotage = sabotage;
  }

  /// Every run with up to `deviations`, the simpler ones first, but no more than `most`.
  Result everyRun(int deviations, int most) {
    int runs = 0;
    int states = 0;
    for (int allowed = 0; allowed <= deviations; allowed++) {
      DepthFirst decisions = new DepthFirst();
      boolean more = true;
      while (more) {
        if (runs == most) {
          return new Result(runs, states + decisions.seen.size(), false, Optional.empty());
        }
        runs++;
        Optional<Found> found = run(decisions, allowed);
        if (found.isPresent()) {
          return new Result(runs, states + decisions.seen.size(), false, found);
        }
        more = decisions.next();
      }
      states += decisions.seen.size();
    }
    return new Result(runs, states, true, Optional.empty());
  }

  /// `count` runs drawn from `seed`.
  Result randomRuns(long seed, int count, int deviations) {
    for (int i = 0; i < count; i++) {
      Optional<Found> found = run(new RandomWalk(seed + i), deviations);
      if (found.isPresent()) {
        return new Result(i + 1, 0, false, found);
      }
    }
    return new Result(count, 0, false, Optional.empty());
  }

  private Optional<Found> run(Scheduler.Decisions decisions, int deviations) {
    World world = new World(decisions, sabotage, scenario.machine());
    try {
      scenario.actors().accept(world);
      world.scheduler.explore(deviations, scenario.jumps());
      world.end();
      return Optional.empty();
    } catch (Scheduler.Stop known) {
      return Optional.empty();
    } catch (AssertionError violation) {
      return Optional.of(new Found(violation, List.copyOf(world.scheduler.trace())));
    } finally {
      world.scheduler.unwind();
    }
  }

  /// Replays a path of choices and goes on with the ordinary course; the next path differs in the
  /// last choice that has another way left.
  private static final class DepthFirst implements Scheduler.Decisions {
    private final List<int[]> path = new ArrayList<>();
    private final Map<Long, Integer> seen = new HashMap<>();
    private int depth;

    @Override
    public int choose(int options, LongSupplier state, int left) {
      if (depth < path.size()) {
        int[] choice = path.get(depth++);
        if (choice[1] != options) {
          throw new AssertionError("the same choices led elsewhere");
        }
        return choice[0];
      }
      long now = state.getAsLong();
      if (seen.getOrDefault(now, -1) >= left) {
        throw new Scheduler.Stop();
      }
      seen.put(now, left);
      path.add(new int[] {0, options});
      depth++;
      return 0;
    }

    boolean next() {
      depth = 0;
      while (!path.isEmpty()) {
        int[] last = path.getLast();
        if (++last[0] < last[1]) {
          return true;
        }
        path.removeLast();
      }
      return false;
    }
  }

  private record RandomWalk(RandomGenerator random) implements Scheduler.Decisions {
    RandomWalk(long seed) {
      this(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
    }

    @Override
    public int choose(int options, LongSupplier state, int left) {
      return random.nextInt(4) == 0 ? random.nextInt(options) : 0;
    }
  }
}
