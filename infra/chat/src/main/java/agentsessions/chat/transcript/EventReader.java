package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiHttp;
import agentsessions.chat.api.ApiModel;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.LiveLines;
import agentsessions.chat.transcript.TurnReader.Ending;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A reader of a thread's event stream: delivers messages as they arrive, until the thread has
/// ended. It reconnects after the last event when a connection is lost.
final class EventReader {
  private final Api api;
  private final Consumer<Message> each;
  private final TurnReader.Watcher watcher;

  EventReader(Api api, Consumer<Message> each, TurnReader.Watcher watcher) {
    this.api = api;
    this.each = each;
    this.watcher = watcher;
  }

  /// The end of the thread; empty if the service has no event streams.
  ///
  /// @param after delivers only messages after this time; null: all
  /// @throws InterruptedException if this Java thread was interrupted
  Optional<Ending> read(String sessionId, String threadId, @Nullable BigDecimal after)
      throws InterruptedException {
    Reading reading = new Reading(sessionId, after);
    while (reading.ending == null) {
      Optional<LiveLines> connection = api.events(sessionId, threadId, reading.lastId);
      if (connection.isEmpty()) {
        return Optional.empty();
      }
      try (LiveLines lines = connection.get()) {
        reading.read(lines);
      }
    }
    return Optional.of(reading.ending);
  }

  /// The state of the reading, across connections.
  private final class Reading {
    private final String sessionId;
    private final @Nullable BigDecimal after;
    private String lastId = "";
    private @Nullable Turn turn;
    private @Nullable Message reply;
    private @Nullable Ending ending;

    Reading(String sessionId, @Nullable BigDecimal after) {
      this.sessionId = sessionId;
      this.after = after;
    }

    /// Reads until the connection, the response or the session's thread ends.
    void read(LiveLines lines) throws InterruptedException {
      Map<String, String> event = new HashMap<>();
      boolean goesOn = false;
      for (Optional<String> line = lines.next();
          line.isPresent() && ending == null;
          line = lines.next()) {
        if (line.get().isEmpty()) {
          goesOn = take(event);
          event.clear();
        } else {
          field(line.get(), event);
        }
      }
      if (!goesOn && ending == null) {
        pause();
      }
    }

    /// Handles an event, and returns whether the service has ended the response only for the client
    /// to reconnect at once.
    private boolean take(Map<String, String> event) {
      lastId = event.getOrDefault("id", lastId);
      String type = event.getOrDefault("event", "");
      String data = event.getOrDefault("data", "{}");
      if (type.equals("message.created")) {
        take(ApiHttp.read(data, Message.class));
      } else if (type.equals("end")) {
        return goesOn(ApiHttp.read(data, ApiModel.StreamEnd.class).reason());
      } else if (type.startsWith("thread.")) {
        take(ApiHttp.read(data, Turn.class));
      } else if (type.startsWith("request.") && turn != null) {
        take(turn); // one request after another leaves the turn as it is
      }
      return false;
    }

    private void take(Message message) {
      reply = message.isFinal() ? message : reply;
      if (after == null || message.ts().compareTo(after) > 0) {
        each.accept(message);
      }
    }

    private void take(Turn now) {
      turn = now;
      if (!now.isLive() || !watcher.goesOn(sessionId, now)) {
        ending = new Ending(now, Optional.ofNullable(reply));
      }
    }
  }

  private static boolean goesOn(String reason) {
    return switch (reason) {
      case "deleted" -> throw new ChatFailure("The session was deleted");
      case "key" -> throw new ChatFailure("The key is no longer good");
      default -> true;
    };
  }

  private static void field(String line, Map<String, String> event) {
    int colon = line.indexOf(": ");
    if (colon > 0) {
      event.put(line.substring(0, colon), line.substring(colon + 2));
    }
  }

  /// A pause of a second before the next attempt after a broken connection.
  private static void pause() throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(1, TimeUnit.SECONDS);
  }
}
