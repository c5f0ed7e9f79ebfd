package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.microsoft.playwright.Request;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The opening of a long session costs as much as that of a short one, in requests and in nodes of
/// the page.
@InBrowser
record LongSessionTest(Stage stage, Client client) {
  private static final int SHORT = 50;
  private static final int LONG = 4990;

  /// The page shows the last hundred messages of a long session, twice as many as a short one has.
  private static final double MOST_TIMES = 2.5;

  /// The distance of the transcript from its end, in pixels.
  private static final String TO_THE_END =
      "((area) => area.scrollHeight - area.scrollTop - area.clientHeight)"
          + "(document.querySelector('.transcript'))";

  /// The cost of opening a session: requests and nodes of the page.
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

  /// The height comes from the turns: twenty screens of messages and output.
  @Test
  void aLongSessionOpensAtItsEndAndOnlyItsTranscriptScrolls() {
    SessionHandle session = client.create("shell", "seq 40");
    session.first().completed();
    for (int turn = 2; turn <= 20; turn++) {
      session.send("seq 40; echo Turn " + turn).completed();
    }
    Visitor visitor = signedIn();
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
    SessionHandle session =
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

  /// With a key of its own: one that has polled may be told to wait, and the page asks again then.
  private Visitor signedIn() {
    return stage.signedIn(stage.newKey(client.get("/me").ok().path("workspace").asText()));
  }

  private Opened open(String session) {
    Visitor visitor = signedIn();
    List<String> requests = new ArrayList<>();
    visitor.page.onRequest(request -> note(request, session, requests));
    visitor.page.waitForRequest(LongSessionTest::isStream, () -> visitor.goToSession(session));
    visitor.sees("All said.");
    assertThat(visitor.page.locator(".said").last()).containsText("All said.");
    visitor.awaits(TO_THE_END + " < 2");
    int nodes = (Integer) visitor.page.evaluate("document.querySelectorAll('*').length");
    return new Opened(requests.stream().sorted().toList(), nodes);
  }

  /// Notes the requests about the session, without their queries; not the event stream, which is
  /// opened after all others.
  private static void note(Request request, String session, List<String> requests) {
    String path = URI.create(request.url().split("\\?", 2)[0]).getPath();
    if (path.startsWith("/rest/v1/sessions/" + session) && !isStream(request)) {
      requests.add(request.method() + path.substring(path.indexOf(session) + session.length()));
    }
  }

  private static boolean isStream(Request request) {
    return request.url().contains("/events") && !request.url().contains("snapshot=");
  }
}
