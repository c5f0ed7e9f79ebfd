package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.api.PendingRequest.Question;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The request that a turn is held by, shown to the user once.
public final class ShownRequest {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss z").withZone(ZoneId.systemDefault());

  private final Api api;
  private final Consumer<PendingRequest> show;
  private volatile String shown = "";
  private volatile @Nullable PendingRequest current;

  public ShownRequest(Api api, Consumer<PendingRequest> show) {
    this.api = api;
    this.show = show;
  }

  /// Looks what a live turn is held by.
  public void look(String sessionId, Turn turn) {
    Optional<PendingRequest> held =
        turn.isHeld()
            ? api.pending(sessionId).stream()
                .filter(each -> each.threadId().equals(turn.id()))
                .findFirst()
            : Optional.empty();
    held.filter(request -> !request.id().equals(shown)).ifPresent(this::show);
    current = held.orElse(null);
  }

  /// Looks whether a session's plan or push waits, when its turn has ended.
  public void lookAfterwards(String sessionId) {
    Optional<PendingRequest> waiting =
        api.pending(sessionId).stream().filter(each -> each.isPlan() || each.isPush()).findFirst();
    waiting.ifPresent(this::show);
    current = waiting.orElse(null);
  }

  private void show(PendingRequest request) {
    current = null; // what is typed while it is printed is no answer to the one before
    shown = request.id();
    show.accept(request);
  }

  /// What a user may type to decide a request, or to answer its first question.
  public static String choices(PendingRequest request) {
    if (request.isPlan()) {
      return "[a]pprove the plan, or [d]eny it, with a note to have it made anew";
    }
    return request.asked().stream()
        .findFirst()
        .map(ShownRequest::choices)
        .orElse("[a]llow once, allow for this [s]ession, or [d]eny with a note");
  }

  /// What a user may type to answer a question.
  public static String choices(Question question) {
    List<String> ways = new ArrayList<>();
    if (!question.options().isEmpty()) {
      ways.add(question.multiple() ? "numbers such as 1 2" : "a number");
    }
    if (question.freeText()) {
      ways.add("words of your own");
    }
    return "%s Answer by %s, or d if nobody answers"
        .formatted(question.text(), String.join(" or ", ways));
  }

  /// The same in a few words.
  public static String letters(PendingRequest request) {
    if (request.isPlan()) {
      return "a or d";
    }
    return request.asked().isEmpty() ? "a, s or d" : "an answer";
  }

  /// The time at which a request expires, in this machine's time zone.
  public static String time(PendingRequest request) {
    return SECOND.format(Instant.parse(request.expiresAt()));
  }

  public Optional<PendingRequest> current() {
    return Optional.ofNullable(current);
  }

  /// Forgets the request, since it is decided or its turn is over.
  public void clear() {
    current = null;
  }
}
