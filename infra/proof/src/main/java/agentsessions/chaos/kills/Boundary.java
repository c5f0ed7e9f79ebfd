package agentsessions.chaos.kills;

import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.Reply;

/// Where a turn can be on its way when something is killed: just before or just after one of its
/// steps has reached AWS.
public enum Boundary {
  /// The message is in the table, and nobody has been told.
  ACCEPTED("StartExecution", "", false),
  STARTED("StartExecution", "", true),
  BEFORE_BEGUN("UpdateItem", "set_ticket_hash", false),
  BEGUN("UpdateItem", "set_ticket_hash", true),
  BEFORE_CLAIMED("TransactWriteItems", "set_token_hash", false),
  CLAIMED("TransactWriteItems", "set_token_hash", true),
  /// No call: the agent's own script says so.
  AGENT_RUNNING("", "", false),
  /// The files are uploaded.
  UPLOADED("HeadObject", "", false),
  BEFORE_RESULT("TransactWriteItems", "set_reported", false),
  RESULT("TransactWriteItems", "set_reported", true),
  BEFORE_RELEASED("TransactWriteItems", "REMOVE #holder", false),
  RELEASED("TransactWriteItems", "REMOVE #holder", true);

  private final String operation;
  private final String part;
  private final boolean after;

  /// @param part of the call's body
  Boundary(String operation, String part, boolean after) {
    this.operation = operation;
    this.part = part;
    this.after = after;
  }

  boolean isAgents() {
    return this == AGENT_RUNNING;
  }

  /// Holds the turn here until what it belongs to is killed; `reached` is then called.
  AwsProxy.Rule hold(Runnable reached) {
    return (call, onward) -> {
      if (!call.operation().equals(operation) || !call.body().contains(part)) {
        return onward.send();
      }
      if (after) {
        onward.send();
      }
      reached.run();
      return Reply.HELD;
    };
  }

  /// Whether the agent's answer may be lost with what was killed, so that the turn ends as failed.
  boolean mayFail() {
    return compareTo(BEFORE_CLAIMED) >= 0 && compareTo(RESULT) < 0;
  }
}
