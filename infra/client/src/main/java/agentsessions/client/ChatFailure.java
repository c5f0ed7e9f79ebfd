package agentsessions.client;

/// Why it cannot go on, in one line for a person, with the way out where there is one.
final class ChatFailure extends RuntimeException {
  ChatFailure(String reason) {
    super(reason, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
