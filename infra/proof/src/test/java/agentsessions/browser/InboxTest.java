package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.microsoft.playwright.Locator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What a person is asked: in the inbox and at its place in the transcript, decided by buttons and
/// by keys.
@InBrowser
record InboxTest(Client client, Visitor visitor) {
  private static final String WORKING = "exec sleep 600";
  private static final Map<String, ?> COMMAND =
      Map.of("command", "go test ./...\nrm -rf build", "timeout", 120);

  /// A browser whose user allows messages, and which keeps them.
  private static final String MESSAGES =
      """
      window.messages = [];
      window.Notification = class {
        static permission = 'granted';
        constructor(title, { body }) {
          this.body = body;
          window.messages.push(this);
        }
        close() {}
      };\
      """;

  @Test
  void aConnectionIsAskedForByItsAddress() {
    SessionHandle session = client.create("scripted", Words.FIRST);
    session.first().awaitTranscript("read it once");
    Asking asking = new Asking(visitor.page);
    asking.scopes("read", "write", "decide");
    String id =
        asking.ask(session, "connect", "host", Map.of("host", "git.example.org", "port", 443));
    visitor.goToSession(session.id());
    visitor.page.reload();
    Locator card = visitor.page.locator(".transcript request-card");
    assertThat(card.locator("header b").first()).hasText("Connect to git.example.org:443");
    assertThat(card.locator("code")).hasCount(0);
    visitor.looksWell("connection");
    asking.expire(id);
    card.getByText("Allow once").click();
    assertThat(card).containsText("Nobody decided, and it was refused.");
  }

  @Test
  void aRequestStandsWholeAtItsPlaceUntilItIsDecided() {
    SessionHandle session = client.create("scripted", Words.FIRST);
    session.first().awaitTranscript("read it once");
    Asking asking = new Asking(visitor.page);
    asking.scopes("read", "write", "decide");
    asking.ask(session, "Bash", "execute", COMMAND);
    String write =
        asking.ask(session, "Write", "edit", Map.of("content", "one\ntwo\n".repeat(400)));
    visitor.goToSession(session.id());
    visitor.page.reload();
    Locator cards = visitor.page.locator(".transcript request-card");
    assertThat(cards).hasCount(2);
    Locator bash = cards.first();
    assertThat(bash.locator("code").first()).hasText("go test ./...\nrm -rf build");
    assertThat(bash.locator("code").last()).hasText("{\n  \"timeout\": 120\n}");
    assertThat(bash).containsText(Pattern.compile("Asked by scripted · \\d\\d:\\d\\d"));
    assertThat(bash).containsText(Pattern.compile("Waits for you · expires in \\d+ min \\d+ s"));
    assertThat(visitor.page).hasTitle(Pattern.compile("^Waits for you · "));
    assertThat(visitor.page.locator(".composer .bar")).containsText("Waits for you");
    assertTrue(cards.last().locator("code").textContent().length() > 3200);
    cards.last().getByText("Show all of it").click();
    assertThat(cards.last().locator(".folded")).hasCount(0);
    cards.last().getByText("Show less").click();
    visitor.looksWell("request");
    bash.getByText("Allow for this session").click();
    assertThat(bash)
        .containsText(Pattern.compile("Allowed for this session by you · \\d\\d:\\d\\d"));
    assertEquals(
        "{\"decision\":\"allow_session\",\"fingerprint\":\"of Bash\"}",
        asking.decisions.getFirst().toString());
    visitor.page.setViewportSize(1440, 900);
    Locator grants = visitor.page.locator(".panel .grants li");
    assertThat(grants).containsText("Bash: execute");
    visitor.button("Take back Bash: execute").click();
    assertThat(grants).hasCount(0);
    asking.expire(write);
    cards.last().getByText("Allow once").click();
    assertThat(cards.last()).containsText("Nobody decided, and it did not run.");
    visitor.looksWell("request-decided");
  }

  @Test
  void keysDecideWhatIsLookedAtAndAskBeforeWhatLasts() {
    SessionHandle session = client.create("shell", WORKING);
    Asking asking = new Asking(visitor.page);
    asking.ask(session, "Bash", "execute", COMMAND);
    asking.ask(session, "WebFetch", "fetch", Map.of("url", "https://example.org"));
    visitor.goToSession(session.id());
    Locator articles = visitor.page.locator("request-card article");
    assertThat(articles).hasCount(2);
    visitor.page.keyboard().press("a");
    assertThat(articles.first()).isFocused();
    visitor.page.keyboard().press("a");
    assertThat(visitor.button("Allow it")).isFocused();
    visitor.looksWell("request-sure");
    visitor.page.keyboard().press("Escape");
    assertThat(articles.first()).isFocused();
    assertEquals(List.of(), asking.decisions);
    visitor.page.keyboard().press("d");
    visitor.page.keyboard().type("a day later");
    visitor.page.keyboard().press("Enter");
    assertThat(articles.first()).containsText("Denied");
    assertThat(articles.first().locator(".note")).hasText("a day later");
    visitor.page.keyboard().press("a");
    assertThat(articles.last()).isFocused();
    visitor.page.keyboard().press("a");
    assertThat(articles.last()).containsText("Allowed once");
    assertThat(visitor.page.locator("[aria-live=polite]")).containsText("Allowed once");
    session.first().running();
  }

  @Test
  void theInboxHasTheOldestFirstBySession() {
    SessionHandle first = client.create("shell", WORKING);
    SessionHandle second = client.create("shell", "exec sleep 601");
    Asking asking = new Asking(visitor.page);
    visitor.go("/inbox");
    assertThat(visitor.page.locator("main")).containsText("Nothing waits for you.");
    asking.ask(second, "Bash", "execute", COMMAND);
    asking.ask(first, "Edit", "edit", Map.of("file_path", "a.go"));
    asking.ask(second, "Grep", "search", Map.of("pattern", "a"));
    visitor.page.evaluate("document.querySelector('session-roster').load()");
    assertThat(visitor.page.locator(".inbox h2")).hasText(new String[] {"exec sleep 601", WORKING});
    Locator names = visitor.page.locator(".inbox article > header > b");
    assertThat(names).hasText(new String[] {"Bash", "Grep", "Edit"});
    assertThat(visitor.page.locator(".to-inbox")).containsText("Inbox 3");
    assertThat(visitor.page.locator(".roster .dot.asks")).hasCount(2);
    visitor.page.locator("select[aria-label=State]").selectOption("Waits for you");
    assertThat(visitor.page.locator(".roster .row")).hasCount(2);
    visitor.button("Clear").click();
    visitor.page.locator(".inbox input").first().fill("Not now");
    visitor.button("Deny").first().click();
    assertThat(visitor.page.locator(".inbox article").first()).containsText("Denied");
    assertThat(visitor.page.locator(".to-inbox")).containsText("Inbox 2");
    visitor.looksWell("inbox");
  }

  @Test
  void whoMayNotDecideIsToldSo() {
    SessionHandle session = client.create("shell", WORKING);
    Asking asking = new Asking(visitor.page);
    asking.scopes("read", "write");
    String id = asking.ask(session, "Bash", "execute", COMMAND);
    visitor.go("/sessions/" + session.id() + "/requests/" + id);
    visitor.page.reload();
    Locator card = visitor.page.locator("request-card");
    assertThat(card).containsText("Your key may not decide: it lacks the scope decide.");
    assertThat(card.getByText("Allow once")).hasCount(0);
    assertThat(card.locator("article")).isFocused();
    visitor.page.keyboard().press("a");
    visitor.page.keyboard().press("d");
    assertEquals(List.of(), asking.decisions);
  }

  @Test
  void aRequestThatComesIsToldAndLeadsToItself() {
    visitor.page.addInitScript(MESSAGES);
    SessionHandle session = client.create("shell", WORKING);
    Asking asking = new Asking(visitor.page);
    visitor.goToSession(session.id());
    visitor.page.reload();
    visitor.button("Notify me").click();
    visitor.go("/usage");
    assertThat(visitor.page.locator(".roster .dot.busy")).hasCount(1);
    String id = asking.ask(session, "Bash", "execute", COMMAND);
    asking.tell(session, id);
    visitor.page.evaluate("document.querySelector('session-roster').load()");
    visitor.awaits("messages.length === 1");
    assertEquals("Waits for you: Bash: execute", visitor.page.evaluate("messages[0].body"));
    assertThat(visitor.page.locator("[aria-live=polite]")).hasText("A request waits for you.");
    visitor.page.evaluate("messages[0].onclick()");
    assertThat(visitor.page.locator("request-card article")).isFocused();
  }
}
