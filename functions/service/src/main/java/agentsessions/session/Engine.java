package agentsessions.session;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// An engine that runs the turns of an agent, in the words of `GET /agents`.
public enum Engine {
  /// A process of this machine, confined by a sandbox.
  MACHINE,
  /// A container of this machine for each session.
  CONTAINER,
  /// An invocation of a function, for a quarter of an hour.
  LAMBDA,
  /// A task of its own for each session, for hours.
  FARGATE;

  /// The engine of this name, as [#word] writes it.
  public static Optional<Engine> of(String word) {
    return Stream.of(values()).filter(engine -> engine.word().equals(word)).findFirst();
  }

  /// Its name in the API and in the catalogue.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a session has a task of its own, which may wait for its next turn. Such a task belongs
  /// to one session alone, so the task itself confines the agent.
  public boolean hasTasks() {
    return this == CONTAINER || this == FARGATE;
  }
}
