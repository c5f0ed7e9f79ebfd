package agentsessions.client.api;

/// Why it cannot go on, in one line for a person, with the way out where there is one.
public final class ChatFailure extends RuntimeException {
  public ChatFailure(String reason) {
    super(reason, null, false, false);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
