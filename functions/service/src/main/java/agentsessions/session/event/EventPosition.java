package agentsessions.session.event;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The position of an event among all events of a session: turn after turn, in a turn its messages
/// by their stamps, then its artifacts, its final message, its end. `within` tells messages (the
/// digits of a stamp) and artifacts (an id) of one turn apart. As texts, positions sort in the same
/// order.
public record EventPosition(TurnId turn, Part part, String within)
    implements Comparable<EventPosition> {
  private static final Pattern TEXT =
      Pattern.compile(
          "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:m([0-9]{16})|p([0-9a-f-]{36})|r|t)");
  private static final Comparator<EventPosition> ORDER =
      Comparator.comparing((EventPosition place) -> place.turn.toString())
          .thenComparing(EventPosition::part)
          .thenComparing(EventPosition::within);

  /// The parts of a turn, in order.
  public enum Part {
    MESSAGES('m'),
    ARTIFACTS('p'),
    REPLY('r'),
    END('t');

    private final char letter;

    Part(char letter) {
      this.letter = letter;
    }
  }

  public static EventPosition of(TurnId turn, Stamp stamp) {
    return new EventPosition(turn, Part.MESSAGES, stamp.digits());
  }

  public static EventPosition of(TurnId turn, ArtifactId artifact) {
    return new EventPosition(turn, Part.ARTIFACTS, artifact.toString());
  }

  public static EventPosition reply(TurnId turn) {
    return new EventPosition(turn, Part.REPLY, "");
  }

  public static EventPosition end(TurnId turn) {
    return new EventPosition(turn, Part.END, "");
  }

  public static Optional<EventPosition> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return TurnId.parse(matcher.group(1)).flatMap(turn -> parse(turn, text.substring(36)));
  }

  private static Optional<EventPosition> parse(TurnId turn, String rest) {
    String within = rest.substring(1);
    return switch (rest.charAt(0)) {
      case 'm' -> Optional.of(new EventPosition(turn, Part.MESSAGES, within));
      case 'p' -> ArtifactId.parse(within).map(artifact -> of(turn, artifact));
      case 'r' -> Optional.of(reply(turn));
      default -> Optional.of(end(turn));
    };
  }

  /// The stamp up to which the turn's messages come before this position; empty behind the last of
  /// them.
  public Optional<Stamp> stamp() {
    return part == Part.MESSAGES
        ? Optional.of(new Stamp(Long.parseLong(within)))
        : Optional.empty();
  }

  /// Whether this position comes before the other.
  public boolean isBefore(EventPosition other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(EventPosition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return turn.toString() + part.letter + within;
  }
}
