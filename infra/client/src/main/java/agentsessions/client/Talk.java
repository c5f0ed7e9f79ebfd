package agentsessions.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The conversation at hand, if there is one: the first message begins it.
final class Talk {
  private final Api api;
  private final Transcript transcript;
  private final @Nullable String agent;
  private @Nullable Conversation conversation;

  /// @param agent for new sessions; null: the only one there is
  Talk(Api api, Transcript transcript, @Nullable String agent) {
    this.api = api;
    this.transcript = transcript;
    this.agent = agent;
  }

  @Nullable Conversation conversation() {
    return conversation;
  }

  void say(String message) {
    if (conversation != null) {
      conversation.send(message);
      return;
    }
    conversation = Conversation.begin(api, transcript, chosen(api, agent), message);
    transcript.note("Session " + conversation.sessionId());
  }

  void resume(String id) {
    Conversation next = Conversation.resume(api, transcript, id);
    leave();
    conversation = next;
  }

  /// What is at hand goes on without us.
  void leave() {
    if (conversation != null) {
      conversation.close();
      conversation = null;
    }
  }

  /// Interrupts the turn in progress.
  ///
  /// @return false if there is none, or it was told so already
  boolean interrupt() {
    return conversation != null && conversation.interrupt();
  }

  boolean isWorking() {
    return conversation != null && conversation.isWorking();
  }

  /// @throws ChatFailure if none is named and there is a choice
  static String chosen(Api api, @Nullable String agent) {
    if (agent != null) {
      return agent;
    }
    List<String> names = api.agents().stream().map(Wire.Agent::name).toList();
    if (names.size() != 1) {
      throw new ChatFailure("Choose an agent with --agent: " + String.join(", ", names));
    }
    return names.getFirst();
  }
}
