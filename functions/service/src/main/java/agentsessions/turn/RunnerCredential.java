package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Sha256;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The credential of a runner for exactly one turn: a ticket (good for one claim) or, after the
/// claim, a token. The text names the turn and holds 256 secret bits; only its hash is kept.
///
/// Why: decision 001.
public record RunnerCredential(TurnKey turn, String secret) {
  /// The secret part of a ticket: the dispatch, the stamp of the turn's message, the attempt, and
  /// 43 characters, which are 256 bits; a hyphen may be one of them.
  private static final Pattern TICKET = Pattern.compile("\\d+-(\\d{1,16})-(\\d{1,3})-[\\w-]{43}");

  /// @param attempt the only one that may claim by it
  static RunnerCredential ticket(Turn turn, int attempt) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return ticket(turn, attempt, secret);
  }

  /// The ticket for the holder of another credential, derived from that, so that a repeat gets the
  /// same one.
  static RunnerCredential ticket(Turn turn, int attempt, RunnerCredential holder) {
    String seed = "%s:%s:%d:%d".formatted(holder.secret, turn.id(), turn.dispatch(), attempt);
    return ticket(turn, attempt, HexFormat.of().parseHex(Sha256.hex(seed)));
  }

  private static RunnerCredential ticket(Turn turn, int attempt, byte[] secret) {
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    return of(
        turn, "%d-%d-%d-%s".formatted(turn.dispatch(), turn.firstStamp().micros(), attempt, text));
  }

  /// The credential with which a task polls for its session's next turn, derived from the token of
  /// the turn before.
  RunnerCredential waiting() {
    return new RunnerCredential(turn, Sha256.hex(secret + ":standby"));
  }

  /// The stamp of the message of a ticket's turn, so that both can be read together; empty for
  /// anything but a ticket. To be trusted only once the ticket's hash is found.
  Optional<Stamp> firstStamp() {
    Matcher parts = TICKET.matcher(secret);
    return parts.matches()
        ? Optional.of(new Stamp(Long.parseLong(parts.group(1))))
        : Optional.empty();
  }

  /// Whether this attempt may claim by the ticket. To be trusted only once the ticket's hash is
  /// found.
  public boolean isFor(int attempt) {
    Matcher parts = TICKET.matcher(secret);
    return parts.matches() && parts.group(2).equals(Integer.toString(attempt));
  }

  /// The dispatch that a ticket was given out for, also after the turn has got another: a repeated
  /// claim must have the same fence. To be used only once the ticket's hash is found.
  public int dispatch() {
    return Integer.parseInt(secret.substring(0, secret.indexOf('-')));
  }

  /// The token of a claim, derived from its ticket, so that a claim whose answer was lost gets the
  /// same one again.
  public RunnerCredential token(Turn of, String claimId, long fence) {
    return of(of, Sha256.hex(secret + ":" + claimId + ":" + fence));
  }

  public static Optional<RunnerCredential> parse(String authorization) {
    String[] scheme = authorization.split(" ", 2);
    if (scheme.length != 2 || !scheme[0].equalsIgnoreCase("Bearer")) {
      return Optional.empty();
    }
    String[] parts = scheme[1].split("\\.", -1);
    if (parts.length != 4) {
      return Optional.empty();
    }
    return SessionId.parse(parts[1])
        .flatMap(session ->
            TurnId.parse(parts[2])
                .map(turn -> new RunnerCredential(key(parts[0], session, turn), parts[3])));
  }

  public String text() {
    return String.join(
        ".",
        turn.sessionKey().workspace().name(),
        turn.sessionId().toString(),
        turn.id().toString(),
        secret);
  }

  public String hash() {
    return Sha256.hex(text());
  }

  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "credential of " + turn.id();
  }

  private static RunnerCredential of(Turn turn, String secret) {
    return new RunnerCredential(turn.key(), secret);
  }

  private static TurnKey key(String workspace, SessionId session, TurnId turn) {
    return new SessionKey(new Workspace(workspace), session).turn(turn);
  }
}
