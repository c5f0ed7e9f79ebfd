package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.Session;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is said while a page opens a session, before and after each answer that the page waits for,
/// is there once: nothing falls between the answers and nothing is shown twice. And a page that is
/// told to wait does.
@InBrowser
record OpeningTest(Client client, Visitor visitor) {
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

  /// Counts until it is interrupted.
  private static final String COUNTING =
      """
      for ((n = 1; ; n++)); do
        echo '{"type":"message","text":"'$n'"}'
        sleep 0.1
      done
      """;

  private static final int LAST = 0;
  private static final String END = "echo '{\"type\":\"result\",\"text\":\"%d\"}'".formatted(LAST);

  @Test
  void whatIsSaidBetweenTheAnswersOfAReloadIsThereOnce() {
    assertAllThereOnce(session -> {
      // to its end: what it still asks would count as asked by the page that is loaded anew
      visitor.page.waitForRequest(
          request -> isToFollow(request.url()), () -> visitor.goToSession(session.id()));
      return visitor.page::reload;
    });
  }

  @Test
  void whatIsSaidBetweenTheAnswersOfAnotherViewIsThereOnce() {
    assertAllThereOnce(session -> () -> visitor.goToSession(session.id()));
  }

  @Test
  void whatIsAskedTooOftenIsAskedUntilItIsAnswered() {
    Session session = client.create("shell", "echo said");
    session.first().completed();
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

  @Test
  void settingsThatAreAskedForTooOftenSaySoAndCome() {
    AtomicInteger refusals = new AtomicInteger();
    visitor.page.route(
        url -> url.endsWith("/rest/v1/keys"),
        route -> {
          if (refusals.incrementAndGet() <= REFUSALS) {
            route.fulfill(TOO_OFTEN);
          } else {
            route.resume();
          }
        });
    visitor.go("/settings");
    Locator bar = visitor.page.locator(".offline");
    assertThat(bar).containsText("Too many requests by this key");
    assertThat(visitor.page.locator("key-list tbody tr")).hasCount(2);
    assertThat(bar).hasCount(0);
  }

  @FunctionalInterface
  private interface Way {
    /// Prepares for what then opens the session.
    Runnable to(Session session);
  }

  private void assertAllThereOnce(Way way) {
    Session session = client.create("scripted", COUNTING);
    Runnable opening = way.to(session);
    Held held = new Held(visitor.page, session);
    opening.run();
    held.awaitFollowing();
    session.send(END).completed();
    visitor.page.waitForCondition(() -> said().contains(LAST));
    List<Integer> said = said();
    assertEquals(LAST, said.removeLast());
    assertEquals(IntStream.rangeClosed(said.getFirst(), counted(session)).boxed().toList(), said);
  }

  /// How far the agent came, by the history.
  private static int counted(Session session) {
    return numbers(session.texts("?direction=desc&limit=5")).get(1);
  }

  private List<Integer> said() {
    return numbers(visitor.page.locator("message-text.said").allTextContents());
  }

  /// Without messages that are none, as those of a person.
  private static List<Integer> numbers(List<String> texts) {
    return texts.stream()
        .map(String::strip)
        .filter(text -> text.matches("\\d+"))
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(ArrayList::new));
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
