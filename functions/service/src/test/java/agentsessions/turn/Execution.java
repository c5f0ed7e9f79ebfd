package agentsessions.turn;

/// An execution of `infra/turn.asl.yaml`: begin, wait or run, and fail where the runner did. Step
/// Functions may believe that a runner failed which is still alive, and start it again.
final class Execution {
  private final World world;
  private final TurnSteps.Dispatch dispatch;
  private final String name;
  private final World.Machine machine;

  Execution(World world, TurnSteps.Dispatch dispatch, String name, World.Machine machine) {
    this.world = world;
    this.dispatch = dispatch;
    this.name = name;
    this.machine = machine;
  }

  String name() {
    return "execution " + name;
  }

  void run() {
    while (true) {
      switch (begin()) {
        case TurnSteps.Next.Run run -> {
          if (!ran(run)) {
            fail();
          }
          return;
        }
        case TurnSteps.Next.End _ -> {
          return;
        }
        case TurnSteps.Next.Wait _ -> {
          long seen = world.version();
          world.scheduler.block(() -> world.version() != seen, () -> false);
        }
      }
    }
  }

  /// The step is tried again when its function dies.
  private TurnSteps.Next begin() {
    while (true) {
      try {
        return world.steps.begin(dispatch);
      } catch (ScheduledTable.AnswerLost died) {
        world.scheduler.note("begins again");
      }
    }
  }

  private boolean ran(TurnSteps.Next.Run run) {
    for (int attempt = 0; ; attempt++) {
      boolean last = attempt == machine.retries();
      Runner runner = new Runner(world, run.ticket(), attempt);
      Scheduler.Actor actor = world.runner(runner, "runner %s.%d".formatted(name, attempt));
      world.scheduler.block(actor::over, () -> !last);
      if (runner.finished()) {
        return true;
      }
      if (last || runner.failed()) {
        return false;
      }
      world.scheduler.note("tries a runner again");
    }
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
