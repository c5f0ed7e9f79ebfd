package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The use of the console, from the first message to the end of a session.
@InBrowser
record ConsoleTest(Stage stage, Client client, Visitor visitor) {
  /// A call that goes on until the turn is interrupted.
  private static final String WORKING =
      """
      echo '{"type":"call","id":"1","name":"Read","input":{"file_path":"/workspace/a.txt"}}'
      echo '{"type":"done","id":"1"}'
      echo '{"type":"call","id":"2","name":"Read","input":{"file_path":"/workspace/b.txt"}}'
      echo '{"type":"done","id":"2"}'
      echo '{"type":"call","id":"3","name":"Bash","input":{"command":"./gradlew test"}}'
      exec sleep 600
      """;

  @Test
  void aSessionIsStartedAndItsReplyIsShown() {
    visitor.link("New session").click();
    visitor.page.getByLabel("What should the agent do?").fill("echo Hello from the page");
    visitor.page.locator("#agent").selectOption("shell");
    visitor.button("Start").click();
    visitor.sees("Hello from the page\n");
    assertThat(visitor.page.locator(".row.here b")).hasText("echo Hello from the page");
    assertThat(visitor.button("Send")).isVisible();
  }

  @Test
  void whatIsTypedNextGoesWhereItIsMeantFor() {
    visitor.page.locator("#message").press("Escape");
    visitor.page.keyboard().press("n");
    assertThat(visitor.page.locator("#message")).isFocused();
    visitor.page.keyboard().type("jn/");
    assertThat(visitor.page.locator("#message")).hasValue("jn/");
    visitor.go("/settings");
    for (String field : List.of("key-name", "secret-name", "webhook-url")) {
      visitor.button("New " + field.split("-", 2)[0]).click();
      assertThat(visitor.page.locator("#" + field)).isFocused();
    }
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.page.reload();
    assertThat(visitor.page.locator(".row")).hasCount(1);
    visitor.page.keyboard().press("Tab");
    assertThat(visitor.button("Skip the list")).isFocused();
    visitor.page.keyboard().press("Enter");
    assertThat(visitor.page.locator("main")).isFocused();
    visitor.page.keyboard().press("c");
    assertThat(visitor.page.locator("message-composer textarea")).isFocused();
    assertThat(visitor.page.locator("message-composer textarea")).hasValue("");
  }

  @Test
  void aTurnShowsItsCallsWhileItRunsAndIsInterruptedByTheNextMessage() {
    SessionHandle talk = client.create("scripted", WORKING);
    visitor.goToSession(talk.id());
    assertThat(visitor.page.locator(".tool").first()).containsText("Read2 files");
    assertThat(visitor.page.locator(".tool").last()).containsText("./gradlew test");
    assertThat(visitor.page.locator(".composer .bar")).containsText("Working for");
    visitor
        .page
        .locator("message-composer textarea")
        .fill("echo '{\"type\":\"result\",\"text\":\"**Done.**\"}'");
    visitor.button("Interrupt and send").click();
    visitor.sees("by the next message");
    assertThat(visitor.page.locator(".transcript .prose strong")).hasText("Done.");
    assertThat(visitor.button("Send")).isVisible();
  }

  @Test
  void aMessageCanWaitForTheTurnThatRuns() throws IOException {
    String first = "until [ -e go ]; do sleep 0.1; done; echo one";
    SessionHandle talk = client.create("shell", first);
    visitor.goToSession(talk.id());
    visitor.page.locator("message-composer textarea").fill("echo two");
    visitor.button("Send after this turn").click();
    visitor.sees("echo two");
    visitor.page.reload();
    visitor.sees("echo two");
    talk.first().running();
    Files.createFile(stage.work(talk.id(), "go"));
    visitor.sees("two\n");
    assertThat(visitor.button("Send")).isVisible();
    assertEquals(List.of(first, "one", "echo two", "two"), texts(talk));
  }

  @Test
  void aMessageThatWaitedAndIsTakenBackIsSaidToBe() throws IOException {
    SessionHandle talk = client.create("shell", "until [ -e go ]; do sleep 0.1; done");
    TurnHandle second = talk.queue("echo two");
    visitor.goToSession(talk.id());
    visitor.sees("echo two");
    talk.cancel(second).expect(200);
    visitor.sees("Stopped");
    Files.createFile(stage.work(talk.id(), "go"));
    visitor.sees("Done in");
  }

  private static List<String> texts(SessionHandle talk) {
    return talk.texts("").stream().map(String::strip).toList();
  }

  @Test
  void escapeStopsTheTurn() {
    SessionHandle talk = client.create("scripted", WORKING);
    visitor.goToSession(talk.id());
    assertThat(visitor.button("Stop")).isVisible();
    visitor.page.keyboard().press("Escape");
    visitor.sees("Stopped");
    assertThat(visitor.button("Stop")).hasCount(0);
  }

  @Test
  void aDraftIsKeptWhereItWasWritten() {
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.page.locator("message-composer textarea").fill("not yet");
    visitor.go("/");
    visitor.goToSession(talk.id());
    assertThat(visitor.page.locator("message-composer textarea")).hasValue("not yet");
    visitor.page.reload();
    assertThat(visitor.page.locator("message-composer textarea")).hasValue("not yet");
  }

  @Test
  void iterationsOfAPlanStandSideBySide() {
    SessionHandle first = client.create("scripted", plan("First thoughts"));
    first.first().completed();
    TurnHandle second = first.send(plan("Second thoughts"));
    second.completed();
    visitor.goToSession(first.id());
    Locator panel = visitor.page.locator(".panel");
    assertThat(panel).containsText("Second thoughts");
    assertThat(panel).containsText("Iteration 2");
    visitor.button("Beside the one before").click();
    assertThat(panel.locator(".plan")).hasCount(2);
    assertThat(panel).containsText("First thoughts");
    visitor.page.locator(".iterations a").first().click();
    assertThat(panel.locator(".plan")).hasCount(1);
    assertThat(panel).not().containsText("Second thoughts");
  }

  @Test
  void filesArePreviewedAndNoneRuns() {
    SessionHandle talk =
        client.create(
            "shell",
            "# Files\nmkdir -p outputs; printf 'name,time\\n\"a, b\",3\\n' > outputs/times.csv; printf"
                + " '<h1>Page</h1><script>parent.document.title=\"run\"</script>' >"
                + " outputs/page.html; printf '# Notes' > outputs/notes.md; echo made");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.go("/sessions/" + talk.id() + "/files");
    visitor.link("outputs/times.csv").click();
    assertThat(visitor.page.locator(".panel td").first()).hasText("a, b");
    visitor.link("‹ All files").click();
    visitor.link("outputs/page.html").click();
    Locator frame = visitor.page.locator(".panel iframe");
    assertThat(frame).hasAttribute("sandbox", "");
    assertThat(frame.contentFrame().locator("h1")).hasText("Page");
    assertFalse(visitor.page.title().equals("run"));
    visitor.link("‹ All files").click();
    visitor.link("outputs/notes.md").click();
    assertThat(visitor.page.locator(".panel .prose h1")).hasText("Notes");
  }

  @Test
  void whatWasMissedIsThereWhenTheNetworkIsBack() {
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.sees("one");
    visitor.offline(true);
    assertThat(visitor.page.locator(".offline")).isVisible();
    visitor.say("echo not yet");
    Locator problem = visitor.page.locator("message-composer .problem");
    assertThat(problem).containsText("cannot be reached");
    talk.send("echo two while away").completed();
    visitor.offline(false);
    visitor.sees("two while away");
    assertThat(visitor.page.locator(".offline")).hasCount(0);
    assertThat(problem).hasCount(0);
    assertThat(visitor.page.locator("message-composer textarea")).hasValue("echo not yet");
    assertThat(visitor.page.locator(".said.user")).hasCount(2);
  }

  /// An answer that was sent before the network went does not prove that the service can be
  /// reached.
  @Test
  void aLateAnswerDoesNotTakeBackThatNobodyCanBeReached() {
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.page.evaluate(
        """
        const real = fetch;
        window.fetch = async (...request) => {
          window.fetch = real;
          const answer = await real(...request);
          await new Promise((goOn) => (window.goOn = goOn));
          return answer;
        };
        void document.querySelector('session-roster').load().then(() => (window.isOver = true))\
        """);
    visitor.awaits("window.goOn !== undefined");
    visitor.offline(true);
    visitor.say("echo not yet");
    Locator problem = visitor.page.locator("message-composer .problem");
    assertThat(problem).containsText("cannot be reached");
    visitor.page.evaluate("goOn()");
    visitor.awaits("window.isOver");
    assertThat(problem).containsText("cannot be reached");
    assertThat(visitor.page.locator(".offline")).isVisible();
    visitor.offline(false);
    assertThat(problem).hasCount(0);
  }

  /// The messages appear first, and can be answered; artifacts may come later.
  @Test
  void aSessionStaysOpenWhenTheNetworkGoesBeforeAllIsThere() {
    SessionHandle talk =
        client.create("shell", "mkdir outputs; echo two > outputs/two.txt; echo one");
    talk.first().completed();
    visitor.page.route(
        url -> url.contains(talk.id() + "/artifacts"),
        Route::abort,
        new Page.RouteOptions().setTimes(1));
    visitor.goToSession(talk.id());
    visitor.sees("one");
    assertThat(visitor.page.locator(".panel")).containsText("two.txt");
    assertThat(visitor.page.locator("message-composer textarea")).isVisible();
  }

  @Test
  void theListStaysInPlaceUnderThePointerAndIsMovedThroughByKeys() {
    SessionHandle older = client.create("shell", "echo one");
    older.first().completed();
    SessionHandle newer = client.create("shell", "echo two");
    newer.first().completed();
    visitor.page.reload();
    Locator rows = visitor.page.locator(".row");
    assertThat(rows).hasCount(2);
    assertThat(rows.first()).hasAttribute("href", Pattern.compile(newer.id()));
    rows.first().hover();
    older.send("echo again").completed();
    visitor.page.evaluate("document.querySelector('session-roster').load()");
    assertThat(rows.first()).hasAttribute("href", Pattern.compile(newer.id()));
    visitor.page.locator("main").hover();
    assertThat(rows.first()).hasAttribute("href", Pattern.compile(older.id()));
    visitor.page.locator("#message").press("Escape");
    visitor.page.keyboard().press("j");
    visitor.page.keyboard().press("j");
    visitor.page.keyboard().press("Enter");
    visitor.sees("two");
    visitor.page.keyboard().press("?");
    assertThat(visitor.page.locator("dialog[open]")).containsText("Stop the turn");
  }

  @Test
  void onANarrowScreenEachPartIsAPage() {
    SessionHandle talk = client.create("scripted", plan("Thoughts"));
    talk.first().completed();
    visitor.page.setViewportSize(380, 800);
    visitor.go("/");
    visitor.page.reload();
    assertThat(visitor.page.locator(".roster")).isVisible();
    assertThat(visitor.page.locator("#message")).isHidden();
    visitor.page.locator(".row").click();
    assertThat(visitor.page.locator(".roster")).isHidden();
    assertThat(visitor.page.locator(".composer")).isVisible();
    visitor.link("Results").click();
    assertThat(visitor.page.locator(".panel")).containsText("Thoughts");
    assertThat(visitor.page.locator(".composer")).isHidden();
    assertEquals(
        380, visitor.page.evaluate("document.scrollingElement.scrollWidth"), "nothing sticks out");
    visitor.page.goBack();
    assertThat(visitor.page.locator(".composer")).isVisible();
    visitor.go("/settings");
    assertThat(visitor.page.locator("key-list tbody tr")).hasCount(2);
    assertEquals(380, visitor.page.evaluate("document.scrollingElement.scrollWidth"));
    assertEquals(800, visitor.height());
    visitor.go("/");
    visitor.button("Shortcuts ?").click();
    Locator shortcuts = visitor.page.locator("dialog[open]");
    assertThat(shortcuts.getByText("Search titles")).isVisible();
    visitor.go("/settings");
    assertThat(shortcuts).hasCount(0);
  }

  private static String plan(String thoughts) {
    return "mkdir -p plans; echo '# "
        + thoughts
        + "' > plans/split.md; echo '{\"type\":\"result\",\"text\":\"Planned.\"}'";
  }
}
