package agentsessions.client;

import org.jspecify.annotations.Nullable;

/// The conversation at hand, if there is one: the first message begins it.
final class Talk {
  private final Api api;
  private final Transcript transcript;
  private final AgentChoice agent;
  private @Nullable Conversation conversation;

  /// @param agent for new sessions
  Talk(Api api, Transcript transcript, AgentChoice agent) {
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
    conversation = Conversation.begin(api, transcript, agent.name(), message);
    agent.used();
    transcript.note("Session " + conversation.shown());
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
}
