package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
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

/// The opening of a session while its agent writes: each message before, between and after the
/// page's requests is shown exactly once. A page that is refused with a waiting time keeps to it.
@InBrowser
record OpeningTest(Client client, Visitor visitor) {
  /// The number of refusals of each request by a service that answers each time to wait a second.
  private static final int REFUSALS = 4;

  private static final Route.FulfillOptions TOO_OFTEN =
      new Route.FulfillOptions()
          .setStatus(429)
          .setHeaders(Map.of("Retry-After", "1"))
          .setContentType("application/json")
          .setBody("{\"code\": \"RATE_LIMITED\", \"message\": \"too often\"}");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(150);

  /// A script that counts until it is interrupted.
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
      // Waits for its last request: a later one would count as one of the reloaded page.
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
    SessionHandle session = client.create("shell", "echo said");
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
    /// Prepares the page; the result opens the session.
    Runnable to(SessionHandle session);
  }

  private void assertAllThereOnce(Way way) {
    SessionHandle session = client.create("scripted", COUNTING);
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

  /// The last number in the session's history.
  private static int counted(SessionHandle session) {
    return numbers(session.texts("?direction=desc&limit=5")).get(1);
  }

  private List<Integer> said() {
    return numbers(visitor.page.locator("message-text.said").allTextContents());
  }

  /// The numbers among the texts; those of people are left out.
  private static List<Integer> numbers(List<String> texts) {
    return texts.stream()
        .map(String::strip)
        .filter(text -> text.matches("\\d+"))
        .map(Integer::valueOf)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Predicate<String> isAbout(SessionHandle session) {
    return url -> url.contains("/rest/v1/sessions/" + session.id() + "/");
  }

  private static boolean isToFollow(String url) {
    return url.contains("/events") && !url.contains("snapshot=");
  }

  /// The page's requests about a session, held: before each request and each answer the agent
  /// writes one more line.
  private static final class Held {
    private final Page page;
    private final SessionHandle session;
    private final List<String> answered = new ArrayList<>();
    private boolean isFollowing;

    Held(Page page, SessionHandle session) {
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

    /// Waits until the history has one more message.
    private void awaitAnotherWord() {
      List<String> before = newest();
      Await.await("another word", TIMEOUT, POLL_INTERVAL).until(() -> !newest().equals(before));
    }

    private List<String> newest() {
      return session.texts("?direction=desc&limit=1");
    }

    /// Waits until the page has all its answers, and follows new messages.
    void awaitFollowing() {
      page.waitForCondition(() -> isFollowing);
      assertEquals(5, answered.size(), answered::toString);
    }
  }
}
