package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.WebhookReceiver;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The console around a session: the list of sessions, announcements for screen readers, and the
/// workspace's settings.
@InBrowser
record WorkspaceTest(Client client, Visitor visitor) {
  /// A picture of one pixel, as base64.
  private static final String PICTURE =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

  private static final Page.GetByLabelOptions EXACT = new Page.GetByLabelOptions().setExact(true);
  private static final Locator.GetByLabelOptions EXACT_IN_LIST =
      new Locator.GetByLabelOptions().setExact(true);

  @Test
  void sessionsAreFoundByTheirTitles() {
    titled("Split the ledger").first().completed();
    titled("Nightly report").first().completed();
    visitor.page.reload();
    Locator rows = visitor.page.locator(".row");
    assertThat(rows).hasCount(2);
    visitor.page.locator("#message").press("Escape");
    visitor.page.keyboard().press("/");
    visitor.page.keyboard().type("LEDGER");
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("Split the ledger");
    Locator found = visitor.page.locator(".found");
    assertThat(found).containsText("1 of 2");
    visitor.page.keyboard().press("Control+A");
    visitor.page.keyboard().type("no such thing");
    assertThat(visitor.page.locator(".roster")).containsText("No session is like that.");
    visitor.page.keyboard().press("Escape");
    assertThat(rows).hasCount(2);
    assertThat(found).hasCount(0);
    visitor.page.keyboard().type("/night");
    assertThat(found).containsText("1 of 2");
    visitor.button("Clear").click();
    assertThat(rows).hasCount(2);
    assertThat(visitor.page.getByLabel("Search titles")).hasValue("");
  }

  @Test
  void theOpenSessionIsSeenInTheListAndNewOnesAreTold() {
    SessionHandle oldest = titled("Oldest");
    oldest.first().completed();
    for (int more = 0; more < 6; more++) {
      titled("Later").first().completed();
    }
    visitor.page.setViewportSize(1440, 420);
    visitor.page.reload();
    Locator rows = visitor.page.locator(".row");
    assertThat(rows).hasCount(7);
    assertThat(rows.last()).not().isInViewport();
    visitor.goToSession(oldest.id());
    assertThat(visitor.page.locator(".row.here")).isInViewport();
    titled("Newest").first().completed();
    visitor.page.evaluate("document.querySelector('session-roster').load()");
    visitor.button("1 new ↑").click();
    assertThat(rows.first()).isInViewport();
    assertThat(rows.first()).containsText("Newest");
    assertThat(visitor.page.locator(".news")).hasCount(0);
  }

  @Test
  void aLongTitleLeavesRoomForWhatTheSessionIs() {
    SessionHandle talk = titled("A title that goes on and on ".repeat(7));
    talk.first().completed();
    visitor.goToSession(talk.id());
    assertEquals(
        0,
        visitor.page.evaluate(
            "[...document.querySelectorAll('main header .chip')]"
                + ".filter((each) => each.scrollWidth > each.clientWidth).length"),
        "chips that cannot be read");
  }

  @Test
  void aSessionThatAProgramStartsAppearsByItself() {
    visitor.page.clock().install();
    visitor.page.reload();
    assertThat(visitor.page.locator(".roster")).containsText("No session yet");
    titled("Nightly report").first().completed();
    visitor.page.clock().fastForward("00:15"); // the list is read again
    assertThat(visitor.page.locator(".row")).containsText("Nightly report");
  }

  @Test
  void sessionsStandByHowTheyEnded() {
    titled("Good").first().completed();
    client.create("shell", "exit 3").first().failure();
    client.create("shell", "sleep 600").first();
    visitor.page.reload();
    Locator groups = visitor.page.locator(".roster section");
    assertThat(groups).containsText(new String[] {"Failed in the last day", "Working", "Done"});
    for (String group : List.of("Failed in the last day", "Working", "Done")) {
      Locator section = visitor.page.locator(".roster section[aria-label='" + group + "']");
      assertThat(section.locator(".row")).hasCount(1);
    }
    visitor.page.clock().setFixedTime(Date.from(Instant.now().plus(Duration.ofDays(2))));
    visitor.page.reload();
    assertThat(groups).containsText(new String[] {"Working", "Done", "Failed before"});
  }

  @Test
  void sessionsAreChosenByTheirAgentAndState() {
    SessionHandle done = titled("By a shell");
    done.first().completed();
    client
        .create("scripted", "echo '{\"type\":\"result\",\"text\":\"Said.\"}'")
        .first()
        .completed();
    visitor.page.reload();
    Locator rows = visitor.page.locator(".row");
    assertThat(rows).hasCount(2);
    visitor.page.locator(".roster").getByLabel("Agent", EXACT_IN_LIST).selectOption("scripted");
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("Said.");
    visitor.page.getByLabel("State", EXACT).selectOption("Failed");
    assertThat(visitor.page.locator(".found")).containsText("0 of 2");
    visitor.button("Not only scripted").click();
    visitor.goToSession(done.id());
    assertThat(visitor.page.locator(".roster section[aria-label=Open] .here")).isInViewport();
    visitor.button("Not only Failed").click();
    assertThat(rows).hasCount(2);
    assertThat(visitor.page.locator(".found")).hasCount(0);
  }

  @Test
  void aSecretIsMadeReplacedAndDeletedAndNeverShown() {
    visitor.go("/settings");
    visitor.button("New secret").click();
    visitor.page.locator("#secret-name").fill("DEPLOY_TOKEN");
    save("a first value");
    Locator row = visitor.page.locator("secret-list tbody tr");
    assertThat(row).containsText("DEPLOY_TOKENagents");
    assertEquals("13", lengthOf("DEPLOY_TOKEN"));
    row.getByText("Replace").click();
    save("a longer, third value");
    assertEquals("21", lengthOf("DEPLOY_TOKEN"));
    assertFalse(visitor.page.content().contains("third value"), "the page shows a value");
    row.getByText("Delete").click();
    row.getByText("Delete it").click();
    assertThat(visitor.page.locator("secret-list table")).hasCount(0);
    assertEquals(0, client.get("/secrets").ok().path("items").size());
  }

  @Test
  void aWebhookIsMadeAndPingedAndItsDeliveriesAreSeen() {
    try (WebhookReceiver receiver = new WebhookReceiver(Duration.ofMinutes(3))) {
      visitor.go("/settings");
      visitor.button("New webhook").click();
      visitor.page.locator("#webhook-url").fill(receiver.url());
      visitor.button("Create").click();
      Locator list = visitor.page.locator("webhook-list");
      assertThat(list.locator(".notice")).containsText("whsec_");
      visitor.button("Done").click();
      visitor.button("Ping").click();
      receiver.await(1, "ping");
      String id = client.get("/webhooks").ok().at("/items/0/id").asText();
      client
          .await("a delivery")
          .until(
              () -> client.get("/webhooks/" + id + "/deliveries?status=succeeded").ok(),
              page -> !page.path("items").isEmpty());
      visitor.button("Refresh").click();
      assertThat(list.getByRole(AriaRole.REGION).last()).containsText("succeeded");
      visitor.button("Redeliver").click();
      receiver.await(2, "ping");
      visitor.button("Delete").click();
      visitor.button("Delete it").click();
      assertThat(list.locator("table")).hasCount(0);
    }
  }

  /// Fills in the rest of a secret's form, a value that agents may get, and saves it.
  private void save(String value) {
    Locator form = visitor.page.locator("secret-list form");
    form.locator("#secret-value").fill(value);
    form.locator("input[type=checkbox]").check();
    visitor.button("Save").click();
    assertThat(form).hasCount(0);
  }

  /// The number of bytes that an agent gets; the value itself would be masked in its output.
  private String lengthOf(String secret) {
    Map<String, ?> given = Map.of("environment", Map.of("secrets", List.of(secret)));
    return client.create("printf %s \"$" + secret + "\" | wc -c", given).first().completed();
  }

  @Test
  void theEndOfATurnAndALostNetworkAreSaidAloud() {
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    Locator aloud = visitor.page.locator("[aria-live=polite]");
    visitor.say("echo two");
    visitor.sees("two");
    assertThat(aloud).hasText("The agent has replied.");
    visitor.offline(true);
    assertThat(aloud).hasText("No connection to the service.");
    visitor.offline(false);
    assertThat(aloud).hasText("Connected again.");
  }

  @Test
  void aPictureIsShown() {
    SessionHandle talk =
        client.create("shell", "mkdir outputs; echo " + PICTURE + " | base64 -d > outputs/dot.png");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.go("/sessions/" + talk.id() + "/files");
    visitor.link("outputs/dot.png").click();
    Locator picture = visitor.page.locator(".panel img");
    assertThat(picture).hasAttribute("alt", "dot.png");
    visitor.awaits("document.querySelector('.panel img').naturalWidth === 1");
  }

  @Test
  void theSettingsSayHowTheServiceIsAndWhatItAllows() {
    visitor.go("/settings");
    Locator page = visitor.page.locator("settings-view");
    assertThat(page).containsText("100 requests a minute a key");
    assertThat(page).containsText("A message may have 256 kB");
    assertThat(page).containsText("50 live keys");
    assertThat(page).containsText("Well · isolation");
    assertThat(page.locator("tr", new Locator.LocatorOptions().setHasText("scripted")))
        .containsText("Runs the message as a script that prints events.");
  }

  private SessionHandle titled(String title) {
    return new SessionHandle(
        client,
        client
            .post("/sessions", Map.of("agent_name", "shell", "message", "echo one", "title", title))
            .expect(201)
            .json());
  }
}
