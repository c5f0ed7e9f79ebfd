package agentsessions.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Await;
import agentsessions.talk.Session;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said while a page opens a session, before and after each answer that the page waits for,
/// is there once: nothing falls between the answers and nothing is shown twice. And a page that is
/// told to wait does.
@Tag("browser")
final class OpeningTest {
  /// As many as half a minute is enough for.
  private static final int WORDS = 300;

  /// How often each question is refused by a service that says each time to wait for a second.
  private static final int REFUSALS = 4;

  private static final Route.FulfillOptions TOO_OFTEN =
      new Route.FulfillOptions()
          .setStatus(429)
          .setHeaders(Map.of("Retry-After", "1"))
          .setContentType("application/json")
          .setBody("{\"code\": \"RATE_LIMITED\", \"message\": \"too often\"}");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PACE = Duration.ofMillis(150);

  private static final String SCRIPT =
      """
      for n in $(seq 1 %d); do
        echo '{"type":"message","text":"'$n'"}'
        sleep 0.1
      done
      echo '{"type":"result","text":"%d"}'
      """
          .formatted(WORDS, WORDS + 1);

  @TempDir static Path data;
  private static Stage stage;

  @BeforeAll
  static void start() {
    stage = Stage.open(data);
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  void whatIsSaidBetweenTheAnswersOfAReloadIsThereOnce() {
    assertAllThereOnce(
        "reload",
        (visitor, session) -> {
          // to its end: what it still asks would count as asked by the page that is loaded anew
          visitor.page.waitForRequest(
              request -> isToFollow(request.url()), () -> visitor.goToSession(session.id()));
          return visitor.page::reload;
        });
  }

  @Test
  void whatIsSaidBetweenTheAnswersOfAnotherViewIsThereOnce() {
    assertAllThereOnce("moved", (visitor, session) -> () -> visitor.goToSession(session.id()));
  }

  @Test
  void whatIsAskedTooOftenIsAskedUntilItIsAnswered() {
    String key = stage.newKey("eager");
    Session session = stage.client(key).create("shell", "echo said");
    session.first().reply();
    try (Visitor visitor = stage.signedIn(key)) {
      Map<String, Integer> asked = new HashMap<>();
      visitor.page.route(
          isAbout(session),
          route -> {
            if (asked.merge(route.request().url(), 1, Integer::sum) <= REFUSALS) {
              route.fulfill(TOO_OFTEN);
            } else {
              route.resume();
            }
          });
      visitor.goToSession(session.id());
      visitor.sees("said");
    }
  }

  @FunctionalInterface
  private interface Way {
    /// Prepares for what then opens the session.
    Runnable to(Visitor visitor, Session session);
  }

  private static void assertAllThereOnce(String workspace, Way way) {
    String key = stage.newKey(workspace);
    Session session = stage.client(key).create("scripted", SCRIPT);
    try (Visitor visitor = stage.signedIn(key)) {
      Runnable opening = way.to(visitor, session);
      Held held = new Held(visitor.page, session);
      opening.run();
      held.awaitFollowing();
      assertEquals("working", session.load().path("status").asText(), "too slow to prove a thing");
      visitor.page.waitForCondition(() -> said(visitor).contains(WORDS + 1));
      List<Integer> all = IntStream.rangeClosed(1, WORDS + 1).boxed().toList();
      List<Integer> said = said(visitor);
      assertEquals(all.subList(said.getFirst() - 1, WORDS + 1), said);
    }
  }

  private static List<Integer> said(Visitor visitor) {
    return visitor.page.locator("message-text.said").allTextContents().stream()
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }

  private static Predicate<String> isAbout(Session session) {
    return url -> url.contains("/rest/v1/sessions/" + session.id() + "/");
  }

  private static boolean isToFollow(String url) {
    return url.contains("/events") && !url.contains("snapshot=");
  }

  /// The requests about a session: each waits for a word of the agent, and so does each answer.
  private static final class Held {
    private final Page page;
    private final Session session;
    private final List<String> answered = new ArrayList<>();
    private boolean isFollowing;

    Held(Page page, Session session) {
      this.page = page;
      this.session = session;
      page.route(isAbout(session), this::answer);
    }

    private void answer(Route route) {
      awaitAnotherWord();
      String url = route.request().url();
      if (isToFollow(url)) {
        isFollowing = true;
        route.resume();
        return;
      }
      APIResponse answer = route.fetch();
      awaitAnotherWord();
      answered.add(url);
      route.fulfill(new Route.FulfillOptions().setResponse(answer));
    }

    /// After it there is one more in the history.
    private void awaitAnotherWord() {
      List<String> before = newest();
      Await.await("another word", PATIENCE, PACE).until(() -> !newest().equals(before));
    }

    private List<String> newest() {
      return session.texts("?direction=desc&limit=1");
    }

    /// Until the page has all that it waits for, and follows what comes next.
    void awaitFollowing() {
      page.waitForCondition(() -> isFollowing);
      assertEquals(5, answered.size(), answered::toString);
    }
  }
}
