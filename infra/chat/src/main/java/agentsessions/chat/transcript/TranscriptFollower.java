package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.transcript.TurnReader.Ending;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A background task that prints a session's transcript as it grows, while the user types.
///
/// Threads are read one after the other, each to its end, so that nothing is missed or printed
/// twice when a follow-up interrupts. A follow-up that another client sent is followed as well.
public final class TranscriptFollower implements AutoCloseable {
  /// What is read next: a turn, or a push that was decided on.
  private sealed interface Wanted {
    record OfTurn(String threadId, @Nullable BigDecimal after) implements Wanted {}

    record OfPush() implements Wanted {}
  }

  /// What a user may type where not all was printed.
  public static final String UNSEEN =
      "Not all of it is printed here, so it can be allowed in the console only; or [d]eny it with a note";

  private final Api api;
  private final String sessionId;
  private final TranscriptPrinter transcript;
  private final TurnReader reader;
  private final ShownRequest request;
  private final RequestSubject subject;
  private final Set<String> own = ConcurrentHashMap.newKeySet();
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<Wanted> wanted = new LinkedBlockingQueue<>();
  private final AtomicInteger unfinished = new AtomicInteger();
  private final Thread thread;
  private volatile long since;
  private volatile boolean mayDecide;
  private volatile String seen = "";

  public TranscriptFollower(Api api, String sessionId, TranscriptPrinter transcript) {
    this.api = api;
    this.sessionId = sessionId;
    this.transcript = transcript;
    this.request = new ShownRequest(api, this::ask);
    this.subject = new RequestSubject(api, new ArtifactDownloads(api), transcript);
    this.reader = new TurnReader(api, this::show, this::look);
    this.thread = Thread.ofVirtual().name("follower").start(this::run);
  }

  /// Sends a message and follows its thread.
  ///
  /// Synchronised with the discovery of follow-ups: the new thread may become visible before the
  /// response to its message arrives, and must not be taken for another client's.
  ///
  /// @param send sends the message and returns the id of its thread
  public synchronized void follow(Supplier<String> send) {
    String threadId = send.get();
    own.add(threadId);
    follow(threadId, null);
  }

  /// Follows a thread.
  ///
  /// @param after prints only messages after this time; null: all
  public void follow(String threadId, @Nullable BigDecimal after) {
    if (known.add(threadId)) {
      want(new Wanted.OfTurn(threadId, after));
    }
  }

  private void want(Wanted next) {
    since = System.nanoTime();
    unfinished.incrementAndGet();
    wanted.add(next);
    reader.hurry();
  }

  public void hurry() {
    reader.hurry();
  }

  public boolean isWorking() {
    return unfinished.get() > 0;
  }

  /// The request that the user may decide; empty if there is none.
  public Optional<PendingRequest> asked() {
    return request.current().filter(_ -> mayDecide);
  }

  /// Whether all that a request is about was printed, without which it cannot be allowed.
  public boolean hasShown(PendingRequest request) {
    return seen.equals(request.id() + request.fingerprint());
  }

  /// Says that a request is decided. One about a plan may have begun another turn, and a push that
  /// was allowed is being done.
  public void decided(PendingRequest decided, boolean isAllowed) {
    request.clear();
    reader.hurry();
    if (decided.isPlan()) {
      follow(api.session(sessionId).threadId(), null);
    } else if (decided.isPush() && isAllowed) {
      want(new Wanted.OfPush());
    }
  }

  /// Leaves the decision on a plan or a push to later.
  ///
  /// @return what it was about; empty if none waits
  public Optional<String> putOff() {
    Optional<String> kind =
        asked().filter(each -> each.isPlan() || each.isPush()).map(PendingRequest::kind);
    kind.ifPresent(_ -> request.clear());
    return kind;
  }

  /// The time since the newest turn began.
  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void run() {
    try {
      while (true) {
        read(wanted.take());
        unfinished.decrementAndGet();
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void read(Wanted next) throws InterruptedException {
    try {
      switch (next) {
        case Wanted.OfTurn turn -> read(turn);
        case Wanted.OfPush() -> transcript.changed(reader.readPush(sessionId));
      }
    } catch (ChatFailure e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      transcript.failure(e.reason());
    }
  }

  private void read(Wanted.OfTurn next) throws InterruptedException {
    Ending ending = reader.read(sessionId, next.threadId(), next.after());
    request.clear();
    transcript.ended(ending);
    goOn(ending.turn().supersededBy());
    transcript.changed(RepositoryChanges.of(api, sessionId, ending.turn()));
    transcript.used(ending.turn());
    if (wanted.isEmpty()) {
      request.lookAfterwards(sessionId);
    }
  }

  private synchronized void goOn(@Nullable String threadId) {
    if (threadId != null) {
      follow(threadId, null);
    }
  }

  private boolean look(String id, Turn turn) {
    request.look(id, turn);
    return true;
  }

  private void ask(PendingRequest asked) {
    mayDecide = api.mayDecide();
    transcript.asked(asked);
    seen = subject.show(asked) ? asked.id() + asked.fingerprint() : "";
    String until = ", until " + ShownRequest.time(asked) + ".";
    transcript.note(
        mayDecide
            ? (hasShown(asked) ? ShownRequest.choices(asked) : UNSEEN) + until
            : "This key lacks the scope \"decide\": somebody else has to decide" + until);
  }

  /// Prints a message, unless it is the user's own, which is on the screen already.
  private void show(Message message) {
    if (!message.isFromUser() || !own.contains(message.threadId())) {
      transcript.show(message);
    }
  }
}
