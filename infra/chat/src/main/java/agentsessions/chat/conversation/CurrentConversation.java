package agentsessions.chat.conversation;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.transcript.TranscriptPrinter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The current conversation of a terminal, if there is one: the first message begins it.
public final class CurrentConversation {
  private final Api api;
  private final TranscriptPrinter transcript;
  private final AgentChoice agent;
  private final MessageInputs inputs;
  private MessageInputs along;
  private @Nullable SessionConversation conversation;

  /// @param agent the agent of new sessions
  /// @param inputs the inputs of new sessions; a continued session gets those that a follow-up
  ///   message may have
  public CurrentConversation(
      Api api, TranscriptPrinter transcript, AgentChoice agent, MessageInputs inputs) {
    this.api = api;
    this.transcript = transcript;
    this.agent = agent;
    this.inputs = inputs;
    this.along = inputs;
  }

  @Nullable
  public SessionConversation conversation() {
    return conversation;
  }

  public void say(String message) {
    if (conversation == null) {
      begin(message);
    } else {
      conversation.send(message, along);
    }
    along = MessageInputs.NONE;
  }

  private void begin(String message) {
    SessionConversation begun =
        SessionConversation.begin(api, transcript, agent.name(), message, along);
    conversation = begun;
    agent.used();
    transcript.note("Session " + begun.shown());
  }

  public void resume(String id) {
    SessionConversation next = SessionConversation.resume(api, transcript, id);
    leave();
    conversation = next;
    along = along.ofFollowUp();
  }

  /// Leaves the conversation; the next message begins a new session.
  public void anew() {
    leave();
    along = inputs;
  }

  /// Stops following the conversation; its turn goes on.
  public void leave() {
    if (conversation != null) {
      conversation.close();
      conversation = null;
    }
  }

  /// Interrupts the turn in progress, or puts off the decision on a plan.
  ///
  /// @return false if there is none, or it is being interrupted already
  public boolean interrupt() {
    return conversation != null && conversation.interrupt();
  }

  /// What the agent asks that this user may decide; empty if there is nothing.
  public Optional<PendingRequest> asked() {
    return conversation == null ? Optional.empty() : conversation.asked();
  }

  /// Decides what the agent asks, or answers its next question.
  ///
  /// @return false if the line states no decision, or none that fits
  public boolean answer(String line) {
    return conversation != null && conversation.answer(line);
  }

  /// Whether a line is a decision and nothing else. With a note it may as well be a message.
  public static boolean isDecision(String line) {
    return line.strip().length() == 1 && Answer.of(line).isPresent();
  }

  public boolean isWorking() {
    return conversation != null && conversation.isWorking();
  }
}
