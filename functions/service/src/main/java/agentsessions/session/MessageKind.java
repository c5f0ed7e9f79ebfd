package agentsessions.session;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The four kinds of message, with the words the API uses for them.
public enum MessageKind {
  USER("user", "message"),
  FINAL("assistant", "final_message"),
  PROGRESS("assistant", "message"),
  TOOL_CALL("assistant", "tool_call");

  /// The kinds that an agent produces while its turn runs.
  public static final Set<MessageKind> EVENTS =
      Collections.unmodifiableSet(EnumSet.of(PROGRESS, TOOL_CALL));

  private final String role;
  private final String type;

  MessageKind(String role, String type) {
    this.role = role;
    this.type = type;
  }

  public String role() {
    return role;
  }

  public String type() {
    return type;
  }
}
