package agentsessions.chat.conversation;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.Session;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.transcript.ShownRequest;
import agentsessions.chat.transcript.TranscriptFollower;
import agentsessions.chat.transcript.TranscriptPrinter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A conversation with one session: messages are sent to it and its transcript is printed.
public final class SessionConversation implements AutoCloseable {
  private final Api api;
  private final String sessionId;
  private final @Nullable String url;
  private final TranscriptPrinter transcript;
  private final TranscriptFollower follower;
  private boolean interrupted;
  private @Nullable QuestionAnswers answering;

  private SessionConversation(Api api, Session session, TranscriptPrinter transcript) {
    this.api = api;
    this.sessionId = session.id();
    this.url = session.sessionHtmlUrl();
    this.transcript = transcript;
    this.follower = new TranscriptFollower(api, sessionId, transcript);
  }

  /// Begins a session with its first message.
  static SessionConversation begin(
      Api api, TranscriptPrinter transcript, String agent, String message, MessageInputs inputs) {
    Session session = api.create(agent, message, inputs);
    SessionConversation conversation = new SessionConversation(api, session, transcript);
    conversation.follower.follow(session::threadId);
    return conversation;
  }

  /// Continues a session: prints its last messages, and follows its turn if one is in progress.
  static SessionConversation resume(Api api, TranscriptPrinter transcript, String id) {
    Session session = api.session(id); // before the history, else an end in between is missed
    List<Message> history = api.history(session.id());
    history.forEach(transcript::show);
    SessionConversation conversation = new SessionConversation(api, session, transcript);
    if (!session.status().equals("idle")) {
      @Nullable BigDecimal last = history.isEmpty() ? null : history.getLast().ts();
      conversation.follower.follow(session.threadId(), last);
    }
    return conversation;
  }

  public String sessionId() {
    return sessionId;
  }

  /// The session's id and its URL in the console, for people.
  String shown() {
    return url == null ? sessionId : sessionId + " " + url;
  }

  /// Sends a message; it interrupts the turn in progress.
  public void send(String message, MessageInputs inputs) {
    interrupted = false;
    follower.follow(() -> api.send(sessionId, message, inputs).threadId());
  }

  /// Interrupts the turn in progress, or puts off the decision on a plan or a push.
  ///
  /// @return false if there is none, or it is being interrupted already
  public boolean interrupt() {
    Optional<String> later = follower.putOff();
    if (later.isPresent()) {
      transcript.note(
          "The %s waits on: /session %s asks again. A message takes its place."
              .formatted(later.get(), sessionId));
      return true;
    }
    if (interrupted || !follower.isWorking()) {
      return false;
    }
    interrupted = true;
    api.interrupt(sessionId);
    follower.hurry();
    return true;
  }

  /// What the agent asks that this user may decide; empty if there is nothing.
  Optional<PendingRequest> asked() {
    return follower.asked();
  }

  /// Takes a line as the decision on what the agent asks, or as the answer to its next question.
  ///
  /// @return false if it is neither
  boolean answer(String line) {
    Optional<PendingRequest> request = asked();
    if (request.isPresent() && !request.get().asked().isEmpty()) {
      return answer(request.get(), line);
    }
    boolean isPlan = request.filter(PendingRequest::isPlan).isPresent();
    Optional<Answer> answer = isPlan ? Answer.ofPlan(line) : Answer.of(line);
    answer.ifPresent(this::decide);
    return answer.isPresent();
  }

  private boolean answer(PendingRequest request, String line) {
    QuestionAnswers given = answering;
    if (given == null || !given.isOf(request) || given.next().isEmpty()) {
      given = new QuestionAnswers(request);
      answering = given;
    }
    if (given.isDenial(line)) {
      decide(new Answer("deny", null));
    } else if (!given.take(line)) {
      return false;
    } else if (given.next().isPresent()) {
      transcript.note(ShownRequest.choices(given.next().get()) + ".");
    } else {
      decide(Answer.of(given.values()));
    }
    return true;
  }

  /// Decides what the agent asks, if it still does.
  void decide(Answer answer) {
    follower.asked().ifPresent(request -> decide(request, answer));
  }

  private void decide(PendingRequest request, Answer answer) {
    if (!answer.isDenial() && !follower.hasShown(request)) {
      transcript.note(TranscriptFollower.UNSEEN + ".");
      return;
    }
    api.decide(request, answer.decision(), answer.note(), answer.answers());
    transcript.note(answer.said(request.isPlan()));
    follower.decided(request, !answer.isDenial());
  }

  public boolean isWorking() {
    return follower.isWorking();
  }

  public Duration elapsed() {
    return follower.elapsed();
  }

  @Override
  public void close() {
    follower.close();
  }
}
