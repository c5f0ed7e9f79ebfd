package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Href;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.MessagePage;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ApiModel.Work;
import java.math.BigDecimal;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A reader of a thread: delivers its messages until the thread has ended.
///
/// It uses the event stream if the service has one. Otherwise it polls: it follows the links of the
/// pages and waits as long as they say.
public final class TurnReader {
  private static final int SECONDS_OF_PEOPLE = 5;

  private final Api api;
  private final Consumer<Message> each;
  private final Watcher watcher;
  private final EventReader events;
  private final Semaphore hurry = new Semaphore(0);

  public TurnReader(Api api, Consumer<Message> each, Watcher watcher) {
    this.api = api;
    this.each = each;
    this.watcher = watcher;
    this.events = new EventReader(api, each, watcher);
  }

  /// A look at a turn while it lives, after each change of its state.
  public interface Watcher {
    /// Returns whether to read on.
    boolean goesOn(String sessionId, Turn turn);
  }

  /// The end of a thread, or where its reading ended.
  ///
  /// @param reply the final message; absent if the turn was interrupted or cancelled
  public record Ending(Turn turn, Optional<Message> reply) {}

  /// Ends the current wait, since the next page has something new.
  public void hurry() {
    hurry.release();
  }

  /// Reads a turn to its end.
  ///
  /// @param after delivers only messages after this time; null: all
  /// @throws InterruptedException if this Java thread was interrupted
  public Ending read(String sessionId, String threadId, @Nullable BigDecimal after)
      throws InterruptedException {
    Optional<Ending> heard = events.read(sessionId, threadId, after);
    return heard.isPresent() ? heard.get() : poll(sessionId, threadId, after);
  }

  /// Waits for a push that is decided on, or done, when its turn is over, and returns the changes
  /// after it.
  ///
  /// @throws InterruptedException if this Java thread was interrupted
  public RepositoryChanges readPush(String sessionId) throws InterruptedException {
    Work work = api.work(sessionId);
    while (work.isOpen()) {
      await(work.job() == null ? SECONDS_OF_PEOPLE : 1);
      work = api.work(sessionId);
    }
    return RepositoryChanges.of(work);
  }

  private Ending poll(String sessionId, String threadId, @Nullable BigDecimal after)
      throws InterruptedException {
    URI link = api.transcript(sessionId, threadId, after);
    boolean wasFinal = false;
    while (true) {
      MessagePage page = api.messages(link);
      page.items().forEach(each);
      @Nullable Turn turn = page.thread();
      if (turn != null && turn.isLive() && !watcher.goesOn(sessionId, turn)) {
        return new Ending(turn, Optional.empty());
      }
      if (page.reply().isPresent()) {
        return new Ending(ended(sessionId, threadId, turn), page.reply());
      }
      link = following(page);
      if (page.links().next() != null) {
        continue;
      }
      boolean isFinal = turn != null && !turn.isLive();
      // A page may have been read before the thread's last message was written, so only one that is
      // requested after the end is complete.
      if (isFinal && wasFinal) {
        return new Ending(Objects.requireNonNull(turn), Optional.empty());
      }
      wasFinal = isFinal;
      if (!isFinal) {
        await(page.pollAfterSeconds() == null ? 1 : page.pollAfterSeconds());
      }
    }
  }

  private Turn ended(String sessionId, String threadId, @Nullable Turn known) {
    return known == null || known.isLive() ? api.turn(sessionId, threadId) : known;
  }

  private static URI following(MessagePage page) {
    @Nullable Href next = page.links().next();
    @Nullable Href link = next == null ? page.links().newMessages() : next;
    return URI.create(Objects.requireNonNull(link, "a page without new_messages").href());
  }

  private void await(int seconds) throws InterruptedException {
    if (hurry.tryAcquire(seconds, TimeUnit.SECONDS)) {
      hurry.drainPermits();
    }
  }
}
