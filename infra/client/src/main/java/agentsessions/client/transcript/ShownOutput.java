package agentsessions.client.transcript;

import agentsessions.client.api.Wire.Message;

/// What has been shown of a turn's output: the messages of an agent whose output is shown while it
/// runs are whole lines, and its reply has all of them again.
final class ShownOutput {
  private String thread = "";
  private final StringBuilder lines = new StringBuilder();

  static boolean isLines(Message message) {
    return message.type().equals("message") && message.message().endsWith("\n");
  }

  /// Remembers what the agent has said, in the order of the turn.
  void add(Message message) {
    if (!message.threadId().equals(thread)) {
      thread = message.threadId();
      lines.setLength(0);
    }
    lines.append(message.message());
  }

  /// What a reply has beside that: all of it, where it does not begin with what was shown.
  String rest(Message reply) {
    String shown = lines.toString().stripLeading();
    boolean again =
        reply.threadId().equals(thread)
            && shown.endsWith("\n")
            && reply.message().startsWith(shown);
    return again ? reply.message().substring(shown.length()) : reply.message();
  }
}
