package agentsessions.client.conversation;

import agentsessions.client.api.Api;
import agentsessions.client.api.Inputs;
import agentsessions.client.transcript.TranscriptPrinter;
import org.jspecify.annotations.Nullable;

/// The conversation at hand, if there is one: the first message begins it.
public final class Talk {
  private final Api api;
  private final TranscriptPrinter transcript;
  private final AgentChoice agent;
  private final Inputs inputs;
  private Inputs along;
  private @Nullable Conversation conversation;

  /// @param agent for new sessions
  /// @param inputs of new sessions; a session that is gone on with gets of them what a message may
  ///   bring
  public Talk(Api api, TranscriptPrinter transcript, AgentChoice agent, Inputs inputs) {
    this.api = api;
    this.transcript = transcript;
    this.agent = agent;
    this.inputs = inputs;
    this.along = inputs;
  }

  @Nullable
  public Conversation conversation() {
    return conversation;
  }

  public void say(String message) {
    if (conversation == null) {
      begin(message);
    } else {
      conversation.send(message, along);
    }
    along = Inputs.NONE;
  }

  private void begin(String message) {
    Conversation begun = Conversation.begin(api, transcript, agent.name(), message, along);
    conversation = begun;
    agent.used();
    transcript.note("Session " + begun.shown());
  }

  public void resume(String id) {
    Conversation next = Conversation.resume(api, transcript, id);
    leave();
    conversation = next;
    along = along.ofFollowUp();
  }

  /// The next message begins a session.
  public void anew() {
    leave();
    along = inputs;
  }

  /// What is at hand goes on without us.
  public void leave() {
    if (conversation != null) {
      conversation.close();
      conversation = null;
    }
  }

  /// Interrupts the turn in progress.
  ///
  /// @return false if there is none, or it was told so already
  public boolean interrupt() {
    return conversation != null && conversation.interrupt();
  }

  public boolean isWorking() {
    return conversation != null && conversation.isWorking();
  }
}
