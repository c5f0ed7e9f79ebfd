package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.testing.GitHost;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page that a person meets first: the composer of a new session.
@InBrowser
record LandingTest(Client client, Visitor visitor) {
  /// Brings a file to the composer, as the mouse and the clipboard do.
  private static final String BRING =
      """
      ([type, name, content, event]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], name, { type }));
        const bring = event === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true });
        return document.querySelector('main textarea').dispatchEvent(bring);
      }\
      """;

  @Test
  void aSessionBeginsByTypingAndByNothingElse() {
    assertThat(message()).isFocused();
    assertEquals(900, visitor.height());
    visitor.page.keyboard().type("echo typed");
    visitor.page.keyboard().press("Escape");
    assertThat(message()).not().isFocused();
    visitor.page.keyboard().press("c");
    assertThat(message()).isFocused();
    visitor.page.locator("#agent").selectOption("shell");
    message().press("Control+Enter");
    visitor.sees("typed\n");
    assertThat(visitor.page.locator(".row")).hasCount(1);
    visitor.page.keyboard().press("g");
    visitor.page.keyboard().press("s");
    assertThat(visitor.page.locator(".row")).isFocused();
    assertThat(message()).hasValue("");
    visitor.page.keyboard().press("n");
    assertThat(message()).isFocused();
  }

  @Test
  void theFirstAgentIsOneWithAModel() {
    visitor.page.route(
        url -> url.endsWith("/agents"),
        route ->
            answer(route, List.of(agent("shell", List.of()), agent("coder", List.of("large")))));
    visitor.page.reload();
    assertThat(visitor.page.locator("#agent")).hasValue("coder");
    assertThat(visitor.page.locator("#model option")).hasText("large (default)");
  }

  @Test
  void aSessionGetsSeveralRepositories(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Locator form = visitor.page.locator("new-session form");
      message().fill("cat one/README.md two/README.md");
      form.locator("#agent").selectOption("shell");
      form.getByLabel("Repository").fill(repository(host, folder, "one"));
      visitor.button("Add another repository").click();
      assertThat(form.getByLabel("Repository 2")).isFocused();
      visitor.page.keyboard().type(repository(host, folder, "two"));
      visitor.button("Add another repository").click();
      visitor.page.keyboard().type("https://git.example.org/not-this.git");
      visitor.button("Leave out repository 3").click();
      form.locator("#ref-1").fill("main");
      visitor.button("Start").click();
      visitor.sees("This is one.\nThis is two.");
    }
    JsonNode repositories = client.get("/sessions").ok().at("/items/0/repositories");
    assertEquals(2, repositories.size());
    assertEquals("main", repositories.at("/1/ref").asText());
  }

  private static String repository(GitHost host, Path folder, String name) {
    host.open();
    GitHost.script(
        folder,
        """
        git init -q -b main %1$s; cd %1$s
        echo This is %1$s. >README.md; git add .; git commit -qm New; git push -q %2$s main
        """
            .formatted(name, host.create(name + ".git")));
    return host.url(name + ".git");
  }

  @Test
  void filesAreDroppedAndPicturesPasted() {
    assertThat(message()).isFocused();
    bring("image/png", "image.png", "one picture", "paste");
    bring("image/png", "image.png", "another", "paste");
    bring("text/plain", "notes.txt", "from a file", "drop");
    Locator files = visitor.page.locator("main file-drop li");
    assertThat(files).containsText(new String[] {"picture-1.png", "picture-2.png", "notes.txt"});
    visitor.button("Leave out picture-1.png").click();
    visitor.page.locator("#agent").selectOption("shell");
    message().fill("cat notes.txt; ls");
    visitor.button("Start").click();
    visitor.sees("from a filenotes.txt\npicture-2.png");
    bring("text/plain", "more.txt", "with a follow-up", "dragover");
    assertThat(visitor.page.locator("message-composer .dropping")).isVisible();
    bring("text/plain", "more.txt", "with a follow-up", "drop");
    assertThat(visitor.page.locator("message-composer .dropping")).hasCount(0);
    visitor.say("cat more.txt");
    visitor.sees("with a follow-up");
  }

  @Test
  void allOfItFitsANarrowScreen() {
    visitor.page.setViewportSize(380, 800);
    visitor.go("/new");
    visitor.page.locator("#url-0").fill("https://git.example.org/team/app.git");
    visitor.page.locator("summary").click();
    assertThat(visitor.button("Add another repository")).isVisible();
    assertEquals(380, visitor.page.evaluate("document.querySelector('main').scrollWidth"));
    assertEquals(List.of(), new AxeBuilder(visitor.page).analyze().getViolations());
    visitor.page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target/pictures/new-narrow.png")));
  }

  private Locator message() {
    return visitor.page.locator("#message");
  }

  private void bring(String type, String name, String content, String event) {
    visitor.page.evaluate(BRING, List.of(type, name, content, event));
  }

  private static Map<String, Object> agent(String name, List<String> models) {
    return Map.of(
        "name",
        name,
        "description",
        "An agent.",
        "models",
        models,
        "default_model",
        models.isEmpty() ? "" : models.getFirst(),
        "engine",
        "machine",
        "network",
        Map.of("mode", "none", "hosts", List.of()));
  }

  private static void answer(Route route, Object items) {
    route.fulfill(
        new Route.FulfillOptions()
            .setContentType("application/json")
            .setBody(Client.text(Map.of("items", items))));
  }
}
