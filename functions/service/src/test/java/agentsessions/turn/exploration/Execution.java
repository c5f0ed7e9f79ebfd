package agentsessions.turn.exploration;

import agentsessions.turn.TurnSteps;

/// An execution of `infra/turn.asl.yaml`: run, again when the sandbox is free or may be, and fail
/// where the runner did. Step Functions may believe that a runner failed which is still alive, and
/// start it again.
final class Execution {
  static final String NAME = "execution ";

  private final World world;
  private final TurnSteps.Dispatch dispatch;
  private final String name;
  private final World.Machine machine;
  private int runners;

  Execution(World world, TurnSteps.Dispatch dispatch, String name, World.Machine machine) {
    this.world = world;
    this.dispatch = dispatch;
    this.name = name;
    this.machine = machine;
  }

  String name() {
    return NAME + name;
  }

  void run() {
    for (int attempt = 0; ; attempt++) {
      String token = name + "." + attempt;
      switch (begin(attempt, token)) {
        case TurnSteps.Next.Run run -> {
          if (isOver(run, attempt)) {
            return;
          }
        }
        case TurnSteps.Next.End _, TurnSteps.Next.Taken _ -> {
          return;
        }
        case TurnSteps.Next.Wait _ ->
            world.scheduler.block(() -> world.isFreeFor(token), () -> false);
        case TurnSteps.Next.Again _ -> {
          long seen = world.version();
          world.scheduler.block(() -> world.version() != seen, () -> false);
        }
      }
    }
  }

  /// The step is tried again when its function dies.
  private TurnSteps.Next begin(int attempt, String token) {
    while (true) {
      try {
        return world.steps.begin(dispatch, attempt, token);
      } catch (ScheduledTable.AnswerLost died) {
        world.scheduler.note("begins again");
      }
    }
  }

  /// Whether nothing is to be tried again.
  private boolean isOver(TurnSteps.Next.Run run, int attempt) {
    boolean last = runners++ == machine.retries();
    Runner runner = new Runner(world, run.launch().ticket(), attempt);
    Scheduler.Actor actor = world.runner(runner, "runner %s.%d".formatted(name, attempt));
    world.scheduler.block(() -> actor.over() || runner.finished(), () -> !last);
    if (!runner.finished() && (last || runner.failed())) {
      fail();
      return true;
    }
    if (!runner.finished()) {
      world.scheduler.note("tries a runner again");
    }
    return runner.finished();
  }

  private void fail() {
    if (!machine.fails()) {
      return;
    }
    try {
      world.steps.fail(dispatch, "Lambda.Unknown");
    } catch (ScheduledTable.AnswerLost died) {
      world.scheduler.note("fails to fail");
    }
  }
}
