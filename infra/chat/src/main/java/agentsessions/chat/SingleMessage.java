package agentsessions.chat;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.Repository;
import agentsessions.chat.api.ApiModel.Sent;
import agentsessions.chat.api.ApiModel.Session;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ApiModel.TurnError;
import agentsessions.chat.api.ApiModel.Usage;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.conversation.AgentChoice;
import agentsessions.chat.transcript.ArtifactDownloads;
import agentsessions.chat.transcript.RepositoryChanges;
import agentsessions.chat.transcript.ShownRequest;
import agentsessions.chat.transcript.TranscriptPrinter;
import agentsessions.chat.transcript.TurnReader;
import agentsessions.chat.transcript.TurnReader.Ending;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jline.utils.AttributedString;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/// The client without a terminal: sends one message, waits for the end of its turn, and prints the
/// outcome.
///
/// The exit code is 0 if the turn completed and 1 if it ended otherwise; failures before that are
/// thrown. Ctrl-C interrupts the turn; a second one ends the program. A turn that waits for a
/// person's decision is left with 3, or waited for with `--json`, and so is a push that is decided
/// on when its turn has ended.
public final class SingleMessage {
  /// The output of `--json`: one object on one line.
  ///
  /// @param outcome the thread's final status: `completed`, `failed`, `timed_out`, `interrupted`,
  ///   `cancelled`
  /// @param reply null if it was interrupted or cancelled
  /// @param plans the latest of each plan of the session, oldest plan first
  /// @param repositories the session's repositories, as this turn left them
  /// @param pullRequests the URLs of the session's pull requests
  /// @param patches the patch of each changed repository
  /// @param usage the turn's model usage and cost
  record Report(
      String session,
      String thread,
      String outcome,
      @Nullable String reply,
      @Nullable TurnError error,
      List<Artifact> plans,
      List<Repository> repositories,
      List<String> pullRequests,
      List<Artifact> patches,
      @Nullable Usage usage) {}

  private static final int ASKED = 3;

  private final Api api;
  private final PrintWriter out;
  private final PrintWriter errors;
  private final boolean json;
  private final TranscriptPrinter transcript;
  private final TurnReader reader;
  private final ShownRequest request;

  /// @param errors with `--json`, gets the reason of a turn that did not complete, and what the
  ///   agent asks
  public SingleMessage(Api api, PrintWriter out, PrintWriter errors, boolean json) {
    this.api = api;
    this.out = out;
    this.errors = errors;
    this.json = json;
    this.transcript = new TranscriptPrinter(json ? line -> {} : printer(out));
    TranscriptPrinter asking = json ? new TranscriptPrinter(printer(errors)) : transcript;
    this.request = new ShownRequest(api, asked -> explain(asked, asking));
    this.reader = new TurnReader(api, this::show, this::look);
  }

  /// Sends a message and waits for its reply.
  ///
  /// @param session the session to continue; null: a new one with the agent
  public int run(
      @Nullable String session, @Nullable String agent, String message, MessageInputs inputs) {
    Sent sent = sent(session, agent, message, inputs);
    Signals.register("INT", interrupting(sent.sessionId()));
    try {
      return printed(sent, reader.read(sent.sessionId(), sent.threadId(), null));
    } catch (ChatFailure e) {
      throw new ChatFailure(e.reason() + " [session " + sent.sessionId() + "]");
    } catch (InterruptedException e) {
      throw new ChatFailure("Interrupted [session " + sent.sessionId() + "]");
    }
  }

  private Sent sent(
      @Nullable String session, @Nullable String agent, String message, MessageInputs inputs) {
    if (session != null) {
      return api.send(api.session(session).id(), message, inputs);
    }
    Session created = api.create(AgentChoice.unasked(api, agent), message, inputs);
    return new Sent(created.id(), created.threadId());
  }

  private int printed(Sent sent, Ending ending) throws InterruptedException {
    if (ending.turn().isLive()) {
      transcript.note("[session " + sent.sessionId() + "]");
      return ASKED;
    }
    boolean isCompleted = ending.turn().status().equals("completed");
    if (isCompleted) {
      request.lookAfterwards(sent.sessionId());
    }
    boolean isPush = isCompleted && request.current().filter(PendingRequest::isPush).isPresent();
    RepositoryChanges changes =
        isPush && json
            ? reader.readPush(sent.sessionId())
            : RepositoryChanges.of(api, sent.sessionId(), ending.turn());
    if (json) {
      out.println(text(report(sent, ending, changes)));
      explain(ending.turn());
    } else {
      transcript.ended(ending);
      transcript.changed(changes);
      transcript.used(ending.turn());
      transcript.note("[session " + sent.sessionId() + "]");
    }
    return isPush && !json ? ASKED : isCompleted ? 0 : 1;
  }

  private void explain(Turn turn) {
    if (!turn.status().equals("completed")) {
      String reason = turn.error() == null ? "" : ": " + turn.error().message();
      errors.println("The turn ended " + turn.status() + reason);
    }
  }

  private boolean look(String sessionId, Turn turn) {
    request.look(sessionId, turn);
    return json || request.current().isEmpty();
  }

  private void explain(PendingRequest asked, TranscriptPrinter printer) {
    printer.asked(asked);
    String page = api.session(asked.sessionId()).sessionHtmlUrl();
    printer.note(
        "Decide until %s: %s%s in a terminal, or, with a key that has the scope"
                .formatted(
                    ShownRequest.time(asked),
                    page == null ? "" : page + ", ",
                    api.again(asked.sessionId()))
            + " \"decide\", POST %s to %s".formatted(body(asked), asked.links().decision().href()));
  }

  /// What is sent to decide a request.
  private static String body(PendingRequest asked) {
    String seen =
        "{\"decision\": \"allow\", \"fingerprint\": \"%s\"}".formatted(asked.fingerprint());
    if (asked.isPlan()) {
      return seen + " (or deny, with a note)";
    }
    if (asked.isPush()) {
      return seen + " (or allow_session, deny)";
    }
    return asked.asked().stream()
        .findFirst()
        .map(question ->
            "{\"decision\": \"allow\", \"answers\": {\"%s\": [\"…\"]}} (or deny)"
                .formatted(question.id()))
        .orElse("{\"decision\": \"allow\"} (or allow_session, deny)");
  }

  private Report report(Sent sent, Ending ending, RepositoryChanges changes) {
    ArtifactDownloads artifacts = new ArtifactDownloads(api);
    return new Report(
        sent.sessionId(),
        sent.threadId(),
        ending.turn().status(),
        ending.reply().map(Message::message).orElse(null),
        ending.turn().error(),
        artifacts.latest(sent.sessionId(), "plan"),
        changes.repositories(),
        changes.pullRequests(),
        artifacts.patches(sent.sessionId(), changes.repositories()),
        ending.turn().usage());
  }

  private Runnable interrupting(String session) {
    AtomicBoolean again = new AtomicBoolean();
    return () -> {
      if (again.getAndSet(true)) {
        Runtime.getRuntime().halt(130);
      }
      Thread.ofVirtual()
          .start(() -> {
            api.interruptTurn(session);
            reader.hurry();
          });
    };
  }

  private void show(Message message) {
    if (!message.isFromUser()) {
      transcript.show(message);
    }
  }

  private static Consumer<AttributedString> printer(PrintWriter out) {
    return line -> {
      out.println(line);
      out.flush();
    };
  }

  private static String text(Report report) {
    try {
      return ApiHttp.JSON.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
