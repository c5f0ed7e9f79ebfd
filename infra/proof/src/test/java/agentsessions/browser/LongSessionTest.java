package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.Session;
import com.microsoft.playwright.Request;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A session that goes on for weeks opens as one of today does: by what is asked for, and by what
/// the page holds then.
@InBrowser
record LongSessionTest(Stage stage, Client client) {
  private static final int SHORT = 50;
  private static final int LONG = 4990;

  /// The page shows the last hundred of a long one, twice as many as there are of a short one.
  private static final double MOST_TIMES = 2.5;

  /// How far the transcript is from its end.
  private static final String TO_THE_END =
      "((area) => area.scrollHeight - area.scrollTop - area.clientHeight)"
          + "(document.querySelector('.transcript'))";

  /// What opening a session took.
  private record Opened(List<String> requests, int nodes) {}

  @Test
  void aSessionOfFiveThousandMessagesOpensAsOneOfFifty() {
    Opened small = open(said(SHORT));
    Opened large = open(said(LONG));
    System.out.printf(
        "A session of %d messages opens with %d requests and %d nodes, one of %d with %d and %d.%n",
        SHORT, small.requests.size(), small.nodes, LONG, large.requests.size(), large.nodes);
    assertEquals(small.requests, large.requests);
    assertTrue(large.nodes < MOST_TIMES * small.nodes, small + " " + large);
  }

  /// The turns are what is high in it: twenty screens of output and of messages that began it.
  @Test
  void aLongSessionOpensAtItsEndAndOnlyItsTranscriptScrolls() {
    Session session = client.create("shell", "seq 40");
    session.first().completed();
    for (int turn = 2; turn <= 20; turn++) {
      session.send("seq 40; echo Turn " + turn).completed();
    }
    Visitor visitor = stage.signedIn(client.key());
    for (int opened = 0; opened < 3; opened++) {
      visitor.goToSession(session.id());
      visitor.page.reload();
      visitor.sees("Turn 20");
      visitor.awaits(TO_THE_END + " < 2 && !document.querySelector('.earlier')");
      assertThat(visitor.page.locator(".below")).hasCount(0);
      assertEquals(visitor.page.viewportSize().height, visitor.height());
      visitor.go("");
    }
    visitor.goToSession(session.id());
    visitor.sees("Turn 20");
    visitor.page.locator(".transcript").hover();
    visitor.page.mouse().wheel(0, -3000);
    visitor.awaits(TO_THE_END + " > 1000");
    session.send("echo said meanwhile").completed();
    visitor.sees("said meanwhile");
    assertThat(visitor.page.locator(".below")).isVisible();
  }

  private String said(int messages) {
    Session session =
        client.create(
            "scripted",
            """
            for n in $(seq 1 %d); do echo '{"type":"message","text":"Word '$n'"}'; done
            echo '{"type":"result","text":"All said."}'
            """
                .formatted(messages));
    assertEquals("All said.", session.first().completed());
    return session.id();
  }

  private Opened open(String session) {
    Visitor visitor = stage.signedIn(client.key());
    List<String> requests = new ArrayList<>();
    visitor.page.onRequest(request -> note(request, session, requests));
    visitor.goToSession(session);
    visitor.sees("All said.");
    assertThat(visitor.page.locator(".said").last()).containsText("All said.");
    int nodes = (Integer) visitor.page.evaluate("document.querySelectorAll('*').length");
    return new Opened(requests.stream().sorted().toList(), nodes);
  }

  /// What is asked of the API about the session, without its queries; not the stream of its events,
  /// which is opened when all else is there.
  private static void note(Request request, String session, List<String> requests) {
    String path = URI.create(request.url().split("\\?", 2)[0]).getPath();
    boolean isStream = path.endsWith("/events") && !request.url().contains("snapshot=");
    if (path.startsWith("/rest/v1/sessions/" + session) && !isStream) {
      requests.add(request.method() + path.substring(path.indexOf(session) + session.length()));
    }
  }
}
