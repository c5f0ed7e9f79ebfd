package agentsessions.local.aws;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The readable part of a runner's ticket, before its secret: workspace, session, turn and
/// dispatch.
final class RunnerTicket {
  private static final Pattern TICKET = Pattern.compile("[^.]*\\.[^.]*\\.([^.]+)\\.(\\d+)-.*");

  private RunnerTicket() {}

  /// The name of the execution that a ticket was issued for; empty if the text is not a ticket.
  static Optional<String> execution(String ticket) {
    Matcher parts = TICKET.matcher(ticket);
    return parts.matches() ? Optional.of(parts.group(1) + "-" + parts.group(2)) : Optional.empty();
  }
}
