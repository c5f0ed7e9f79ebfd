package agentsessions.chat.api;

/// A failure of the client, with one line for people that names the reason and, if there is one,
/// the way out.
public final class ChatFailure extends RuntimeException {
  public ChatFailure(String reason) {
    super(reason, null, false, false);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
