package agentsessions.chat.transcript;

import agentsessions.chat.api.ApiModel.Message;

/// The output of a turn that has been printed already. Agents whose output is streamed send it as
/// messages of whole lines, and their reply repeats all of it.
final class ShownOutput {
  private String thread = "";
  private final StringBuilder lines = new StringBuilder();

  static boolean isLines(Message message) {
    return message.type().equals("message") && message.message().endsWith("\n");
  }

  /// Adds a message of the agent that was printed.
  void add(Message message) {
    if (!message.threadId().equals(thread)) {
      thread = message.threadId();
      lines.setLength(0);
    }
    lines.append(message.message());
  }

  /// The part of a reply that was not printed; all of it, if it does not begin with the printed
  /// lines.
  String rest(Message reply) {
    String shown = lines.toString().stripLeading();
    boolean again =
        reply.threadId().equals(thread)
            && shown.endsWith("\n")
            && reply.message().startsWith(shown);
    return again ? reply.message().substring(shown.length()) : reply.message();
  }
}
