package agentsessions.chaos.kills;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.ProxyReply;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/// A point on a turn's way at which a process is killed: just before or just after one of its steps
/// has reached AWS.
public enum TurnBoundary {
  /// The message is stored, and no execution is started yet.
  ACCEPTED("StartExecution", "", false),
  STARTED("StartExecution", "", true),
  BEFORE_BEGUN("UpdateItem", "set_ticket_hash", false),
  BEGUN("UpdateItem", "set_ticket_hash", true),
  BEFORE_CLAIMED("TransactWriteItems", "set_token_hash", false),
  CLAIMED("TransactWriteItems", "set_token_hash", true),
  /// Marked by no call: the agent's own script signals it.
  AGENT_RUNNING("", "", false),
  /// The files are uploaded, the result is not reported.
  UPLOADED("HeadObject", "", false),
  BEFORE_RESULT("TransactWriteItems", "set_reported", false),
  RESULT("TransactWriteItems", "set_reported", true),
  /// The sandbox of a cancelled turn is still held; that of others is released with the result.
  BEFORE_RELEASED("TransactWriteItems", "^(?!.*set_reported).*REMOVE [#\\w, ]*#holder", false),
  RELEASED("TransactWriteItems", "^(?!.*set_reported).*REMOVE [#\\w, ]*#holder", true);

  private final String operation;
  private final Pattern part;
  private final boolean after;

  /// @param part a regular expression, found in the body of the call that is this step
  TurnBoundary(String operation, String part, boolean after) {
    this.operation = operation;
    this.part = Pattern.compile(part);
    this.after = after;
  }

  /// The boundaries that each turn passes that ends by itself, but for the agent's own.
  static final Set<TurnBoundary> OF_EACH_TURN =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(AGENT_RUNNING, BEFORE_RELEASED, RELEASED)));

  boolean isAgents() {
    return this == AGENT_RUNNING;
  }

  boolean isAfterCancel() {
    return this == BEFORE_RELEASED || this == RELEASED;
  }

  /// Whether the call is the step of this boundary.
  boolean isStep(AwsCall call) {
    return call.operation().equals(operation) && part.matcher(call.body()).find();
  }

  /// Holds the turn's call here until its process is killed; calls `reached` first.
  AwsProxy.Rule hold(Runnable reached) {
    return (call, onward) -> {
      if (!isStep(call)) {
        return onward.send();
      }
      if (after) {
        onward.send();
      }
      reached.run();
      return ProxyReply.HELD;
    };
  }
}
