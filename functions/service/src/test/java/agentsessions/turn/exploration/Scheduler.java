package agentsessions.turn.exploration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Runs actors, each on a thread of its own, one at a time: the baton is handed on only at a
/// `point`, which every call of the table is, and only as `Decisions` say. The same decisions make
/// the same run.
final class Scheduler {
  /// The fate of the call that an actor is about to make. Faults come after the call has had its
  /// effect; one before it is the same as one after the write before.
  enum Fate {
    GO,
    /// The actor's process is gone.
    DIE,
    /// The request's process is gone, or its answer; whoever sent the request sends it again.
    LOST,
    /// The answer is lost; the SDK sends the same call again, a while later.
    AGAIN
  }

  /// Chooses among `options` ways to go on; 0 is the ordinary course. `left` is how many
  /// extraordinary ones are still allowed.
  interface Decisions {
    int choose(int options, LongSupplier state, int left);
  }

  /// Thrown by decisions that want to see no more of this run.
  static final class Stop extends Error {
    private static final long serialVersionUID = 1L;

    Stop() {
      super(null, null, false, false);
    }
  }

  /// Ends the thread of an actor that is dead.
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super(null, null, false, false);
    }
  }

  /// One process: a client's request, an execution, a runner, a sweep.
  final class Actor {
    final String name;
    private final Runnable body;
    private final Set<Fate> faults;
    private final Thread thread;
    private BooleanSupplier ready = () -> true;
    private BooleanSupplier nudge = () -> false;
    private boolean started;
    private boolean done;
    private boolean dead;
    private long history = 7;

    private Actor(String name, Set<Fate> faults, Runnable body) {
      this.name = name;
      this.faults = faults;
      this.body = body;
      this.thread = Thread.ofVirtual().name(name).unstarted(() -> live(this));
    }

    /// True when it has ended, in whatever way.
    boolean over() {
      return done || dead;
    }

    boolean dead() {
      return dead;
    }

    /// It begins only while this holds.
    Actor when(BooleanSupplier condition) {
      ready = condition;
      return this;
    }

    private boolean enabled() {
      return !over() && ready.getAsBoolean();
    }

    private int standing() {
      return over() ? 1 : ready.getAsBoolean() ? 2 : 3;
    }
  }

  private sealed interface Option {
    record Go(Fate fate) implements Option {}

    record To(Actor actor) implements Option {}

    record Jump() implements Option {}
  }

  private static final int MOST_POINTS = 1500;

  private final Decisions decisions;
  private final Runnable jump;
  private final LongSupplier world;
  private final List<Actor> actors = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final Thread controller = Thread.currentThread();
  private volatile @Nullable Actor running;
  private int deviations;
  private int jumps;
  private int points;
  private boolean calm = true;
  private @Nullable Step awaited;
  private boolean unwinding;
  private @Nullable Throwable failure;

  Scheduler(Decisions decisions, Runnable jump, LongSupplier world) {
    this.decisions = decisions;
    this.jump = jump;
    this.world = world;
  }

  Actor add(String name, Set<Fate> faults, Runnable body) {
    Actor actor = new Actor(name, EnumSet.copyOf(faults), body);
    actors.add(actor);
    return actor;
  }

  /// The actor whose turn it is; it holds the baton.
  Actor current() {
    Actor actor = running;
    if (actor == null) {
      throw new IllegalStateException("nobody's turn");
    }
    return actor;
  }

  /// Adds a fact that the current actor has learnt to its state.
  void learn(long what) {
    Actor me = current();
    me.history = mix(me.history, what);
  }

  void note(String what) {
    Actor actor = running;
    trace.add((actor == null ? "" : actor.name + ": ") + what);
  }

  List<String> trace() {
    return trace;
  }

  /// Keeps to the ordinary course until a transition of this kind is made.
  void calmUntil(Step step) {
    awaited = step;
  }

  boolean awaits() {
    return awaited != null;
  }

  void made(Step step) {
    if (step == awaited) {
      awaited = null;
      calm = false;
    }
  }

  /// Runs with the decisions until nobody can go on without the help of time.
  void explore(int allowedDeviations, int allowedJumps) {
    deviations = allowedDeviations;
    jumps = allowedJumps;
    calm = awaited != null;
    try {
      while (failure == null && step()) {}
    } finally {
      calm = true;
      awaited = null;
    }
    check();
  }

  /// Runs the first actor alone, without faults, to its end.
  void settleFirst() {
    hand(actors.getFirst());
    check();
  }

  /// Runs without faults or preemptions until nobody can go on.
  void settle() {
    Actor next = firstEnabled();
    while (next != null && failure == null) {
      hand(next);
      next = firstEnabled();
    }
    check();
  }

  /// Ends all threads; to be called when a run is over.
  void unwind() {
    unwinding = true;
    for (Actor actor : actors) {
      if (actor.started && !actor.done) {
        actor.dead = true;
        hand(actor);
      }
    }
  }

  /// Where the current actor may be preempted, and may meet a fault if it is about to write.
  Fate point(boolean writes) {
    Actor me = current();
    if (me.dead) {
      throw new Crash();
    }
    if (++points > MOST_POINTS) {
      throw new Violation("a request does not come to an end: " + me.name);
    }
    while (!calm) {
      switch (choose(options(me, writes))) {
        case Option.Go go -> {
          deviations -= go.fate() == Fate.GO ? 0 : 1;
          return noted(go.fate());
        }
        case Option.To to -> {
          deviations--;
          hand(me, to.actor());
        }
        case Option.Jump _ -> jump();
      }
    }
    return Fate.GO;
  }

  /// An extraordinary course that the current actor may take of itself.
  boolean perhaps(String what) {
    boolean chosen = !calm && deviations > 0 && decide(2) == 1;
    learn(chosen ? what.hashCode() : 1);
    if (!chosen) {
      return false;
    }
    deviations--;
    note(what);
    return true;
  }

  /// Waits until `condition` holds, or, at the cost of a preemption, while `nudge` does.
  void block(BooleanSupplier condition, BooleanSupplier nudge) {
    Actor me = current();
    me.ready = condition;
    me.nudge = nudge;
    back();
    await(me);
    me.ready = () -> true;
    me.nudge = () -> false;
  }

  long state() {
    long state = world.getAsLong();
    for (Actor actor : actors) {
      state += mix(actor.name.hashCode(), mix(actor.history, actor.standing()));
    }
    Actor actor = running;
    return mix(state, mix(actor == null ? 0 : actor.name.hashCode(), jumps));
  }

  static long mix(long one, long other) {
    long mixed = (one ^ (other + 0x9E3779B97F4A7C15L)) * 0xBF58476D1CE4E5B9L;
    return (mixed ^ (mixed >>> 29)) * 0x94D049BB133111EBL;
  }

  private boolean step() {
    List<Option> options = new ArrayList<>();
    actors.stream().filter(Actor::enabled).map(Option.To::new).forEach(options::add);
    boolean someone = !options.isEmpty();
    if (!someone) {
      options.add(new Option.Go(Fate.GO));
    }
    if (jumps > 0) {
      options.add(new Option.Jump());
    }
    Option chosen;
    try {
      chosen = choose(options);
    } catch (Stop stop) {
      failure = stop;
      return false;
    }
    switch (chosen) {
      case Option.To to -> hand(to.actor());
      case Option.Jump _ -> jump();
      case Option.Go _ -> {
        return false;
      }
    }
    return true;
  }

  private List<Option> options(Actor me, boolean writes) {
    List<Option> options = new ArrayList<>();
    options.add(new Option.Go(Fate.GO));
    if (jumps > 0) {
      options.add(new Option.Jump());
    }
    if (deviations > 0) {
      actors.stream()
          .filter(other -> other != me && !other.over())
          .filter(other -> other.enabled() || other.nudge.getAsBoolean())
          .map(Option.To::new)
          .forEach(options::add);
      if (writes) {
        me.faults.stream().map(Option.Go::new).forEach(options::add);
      }
    }
    return options;
  }

  private Option choose(List<Option> options) {
    return options.get(calm || options.size() == 1 ? 0 : decide(options.size()));
  }

  private int decide(int options) {
    return decisions.choose(options, this::state, deviations);
  }

  private Fate noted(Fate fate) {
    if (fate == Fate.DIE) {
      current().dead = true;
    }
    learn(fate.name().hashCode());
    return fate;
  }

  private void jump() {
    jumps--;
    jump.run();
  }

  private @Nullable Actor firstEnabled() {
    return actors.stream().filter(Actor::enabled).findFirst().orElse(null);
  }

  private void check() {
    Throwable cause = failure;
    switch (cause) {
      case null -> {}
      case Error error -> throw error;
      default -> throw new Violation("an actor failed: " + cause);
    }
  }

  /// From the controller to an actor, until the baton is back.
  private void hand(Actor to) {
    give(to);
    while (running != null) {
      LockSupport.park(this);
    }
  }

  private void hand(Actor me, Actor to) {
    give(to);
    await(me);
  }

  private void give(Actor to) {
    running = to;
    if (to.started) {
      LockSupport.unpark(to.thread);
    } else {
      to.started = true;
      to.ready = () -> true;
      to.thread.start();
    }
  }

  private void back() {
    running = null;
    LockSupport.unpark(controller);
  }

  private void await(Actor me) {
    while (running != me) {
      LockSupport.park(this);
    }
    if (me.dead) {
      throw new Crash();
    }
  }

  private void live(Actor me) {
    try {
      await(me);
      me.body.run();
    } catch (Crash crash) {
      if (!me.dead) {
        failure = crash;
      }
    } catch (Throwable fault) {
      if (failure == null && !unwinding) {
        failure = fault;
      }
    }
    me.done = true;
    back();
  }
}
