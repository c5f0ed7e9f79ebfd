package agentsessions.turn.catalogue;

import agentsessions.session.Engine;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The engines of this deployment: which of them runs an agent's entry, and whether the agent may
/// run there. An agent without an engine is not offered, since each of its turns would fail.
///
/// Why: decision 006.
@Singleton
public final class Engines {
  private static final String CONFINED = "bubblewrap";
  private static final String EVERY = "*";

  private final Engine standard;
  private final Set<Engine> all = EnumSet.noneOf(Engine.class);
  private final String isolation;
  private final List<String> open;
  private final Duration longestTurn;
  private final Duration longestTask;

  /// @param standard the engine of entries that name none
  /// @param others the further engines of the deployment
  /// @param isolation what confines agents where they have no task of their own; `none`: nothing
  /// @param open agents that may run where their network access cannot be bounded; `*`: all
  /// @param turnSeconds the longest turn where there are no tasks
  /// @param taskSeconds the longest turn of a task
  public Engines(
      @Property(name = "engine", defaultValue = "lambda") String standard,
      @Property(name = "engines", defaultValue = "") List<String> others,
      @Property(name = "isolation", defaultValue = "") String isolation,
      @Property(name = "open.agents", defaultValue = EVERY) List<String> open,
      @Property(name = "max.turn.seconds", defaultValue = "86400") int turnSeconds,
      @Property(name = "max.task.seconds", defaultValue = "28800") int taskSeconds) {
    this.standard = Engine.of(standard).orElseThrow();
    this.all.add(this.standard);
    others.stream().flatMap(word -> Engine.of(word).stream()).forEach(all::add);
    this.isolation = isolation;
    this.open = List.copyOf(open);
    this.longestTurn = Duration.ofSeconds(turnSeconds);
    this.longestTask = Duration.ofSeconds(taskSeconds);
  }

  /// The engine of an agent; empty where it cannot run. On one machine all agents run on its one
  /// engine, whatever their entries name.
  Optional<Engine> of(String agent, Map<String, Object> entry) {
    boolean here = standard == Engine.MACHINE || standard == Engine.CONTAINER;
    Optional<Engine> named =
        here || !entry.containsKey("engine")
            ? Optional.of(standard)
            : Engine.of(String.valueOf(entry.get("engine"))).filter(all::contains);
    return named.filter(engine -> mayRun(engine, agent, entry));
  }

  /// The time that a turn may take on an engine.
  Duration longest(Engine engine) {
    return engine.hasTasks() ? longestTask : longestTurn;
  }

  private boolean mayRun(Engine engine, String agent, Map<String, Object> entry) {
    if (isolation.equals(CONFINED) && !engine.hasTasks()) {
      return true;
    }
    boolean trusted = !isolation.equals("none") || "trusted".equals(entry.get("isolation"));
    return (engine.hasTasks() || trusted) && mayBeOpen(agent, entry);
  }

  private boolean mayBeOpen(String agent, Map<String, Object> entry) {
    return open.contains(EVERY) || open.contains(agent) || "host".equals(entry.get("network"));
  }
}
