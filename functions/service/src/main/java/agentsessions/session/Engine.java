package agentsessions.session;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What an agent's turns run on, in the words of `GET /agents`.
public enum Engine {
  /// A process of this machine, confined by a sandbox.
  MACHINE,
  /// A container of this machine for each session.
  CONTAINER,
  /// An invocation of a function, for a quarter of an hour.
  LAMBDA,
  /// A task of its own for each session, for hours.
  FARGATE;

  /// The one that is called so.
  public static Optional<Engine> of(String word) {
    return Stream.of(values()).filter(engine -> engine.word().equals(word)).findFirst();
  }

  /// As the API and the catalogue name it.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether a session has a task of its own, which may wait for its next turn. What is in it is
  /// one session's, so that the task is what confines an agent.
  public boolean hasTasks() {
    return this == CONTAINER || this == FARGATE;
  }
}
