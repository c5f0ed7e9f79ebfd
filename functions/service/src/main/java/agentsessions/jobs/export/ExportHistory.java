package agentsessions.jobs.export;

import agentsessions.api.decisions.SessionRequestBody;
import agentsessions.api.request.Links;
import agentsessions.api.sessions.MessageBody;
import agentsessions.api.sessions.SessionBody;
import agentsessions.api.sessions.ThreadBody;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.request.Request;
import agentsessions.store.message.History;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.table.Retries;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/// The history of a session in a file of an export, read page by page, so that the longest needs no
/// more memory than a short one.
@Singleton
final class ExportHistory {
  /// The most characters of messages in one file; messages after them are left out.
  private static final long MOST = 512L << 20;

  private static final int AT_ONCE = 25;
  private static final int MOST_TRIES = 10;

  private final History history;
  private final Turns turns;
  private final Requests requests;
  private final JsonMapper json;

  ExportHistory(History history, Turns turns, Requests requests, JsonMapper json) {
    this.history = history;
    this.turns = turns;
    this.requests = requests;
    this.json = json;
  }

  /// Writes `{"session", "threads", "messages"}`, each in the form of the API; returns the first
  /// message for which there was no room.
  Optional<Message> json(Sessions.Loaded loaded, Turn latest, Links links, OutputStream out)
      throws IOException {
    put(out, "{\"session\":");
    out.write(json.writeValueAsBytes(SessionBody.of(loaded, links)));
    put(out, ",\n\"threads\":[");
    threads(loaded.session(), links, out);
    put(out, "],\n\"messages\":[");
    Elements messages = new Elements(out);
    Optional<Message> beyond =
        each(latest, (message, text) -> messages.add(MessageBody.of(message, text)));
    put(out, "]}\n");
    return beyond;
  }

  /// Writes `{"items"}`: the requests for decisions in the form of the API, the newest first.
  void requests(SessionKey key, Links links, OutputStream out) throws IOException {
    put(out, "{\"items\":[");
    Elements elements = new Elements(out);
    for (Request request : requests.ofSession(key)) {
      elements.add(SessionRequestBody.of(request, links, json));
    }
    put(out, "]}\n");
  }

  /// Writes the messages as Markdown; returns the first one for which there was no room.
  Optional<Message> markdown(Session session, Turn latest, OutputStream out) throws IOException {
    ExportMarkdown page = new ExportMarkdown(turns, text -> put(out, text));
    page.head(session);
    return each(latest, page::message);
  }

  /// The receiver of the messages, one after the other.
  @FunctionalInterface
  private interface Listener {
    void hear(Message message, String text) throws IOException;
  }

  private Optional<Message> each(Turn latest, Listener listener) throws IOException {
    Stamp after = Stamp.ZERO;
    long characters = 0;
    List<Message> page;
    do {
      page = page(latest, after);
      for (Message message : page) {
        String text = history.text(message);
        characters += text.length();
        if (characters > MOST) {
          return Optional.of(message);
        }
        listener.hear(message, text);
        after = message.stamp();
      }
    } while (!page.isEmpty());
    return Optional.empty();
  }

  /// The next page. The messages of a turn exist once it has spoken, though a read may not show
  /// them yet: then it is repeated.
  private List<Message> page(Turn latest, Stamp after) {
    History.Range range =
        new History.Range(
            EnumSet.allOf(MessageKind.class), after, latest.lastStamp(), true, AT_ONCE);
    boolean more = latest.status().spoke() && after.compareTo(latest.lastStamp()) < 0;
    List<Message> page = history.messages(latest, range);
    for (int tries = 1; more && page.isEmpty(); tries++) {
      if (tries == MOST_TRIES) {
        throw new IllegalStateException("the end of the history is not to be found");
      }
      Retries.pause("the end of a history", tries);
      page = history.messages(latest, range);
    }
    return page;
  }

  private void threads(Session session, Links links, OutputStream out) throws IOException {
    Elements threads = new Elements(out);
    for (Turn turn : turns.all(session.key(), AT_ONCE)) {
      threads.add(ThreadBody.of(turn.seenFrom(session), links));
    }
  }

  private static void put(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The writer of a JSON array, each element on its own line.
  private final class Elements {
    private final OutputStream out;
    private String before = "\n";

    Elements(OutputStream out) {
      this.out = out;
    }

    void add(Object element) throws IOException {
      put(out, before);
      out.write(json.writeValueAsBytes(element));
      before = ",\n";
    }
  }
}
