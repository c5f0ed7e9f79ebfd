package agentsessions.session;

/// The four kinds of message, with the words the API uses for them.
public enum MessageKind {
  USER("user", "message"),
  FINAL("assistant", "final_message"),
  PROGRESS("assistant", "message"),
  TOOL_CALL("assistant", "tool_call");

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
