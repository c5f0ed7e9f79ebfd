package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.testing.GitHost;
import agentsessions.testing.RandomPatch;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person has to have seen of a push before it may be allowed at the page.
@InBrowser
record PushCardTest(Client client, Visitor visitor) {
  private static final String REMOTE = "hello.git";

  @Test
  void itIsLookedAtAndAllowed(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Locator card = asked(host, folder, "echo World >README.md");
      assertThat(card).containsText("greeting of " + host.url(REMOTE));
      assertThat(visitor.page).hasTitle("Waits for you · echo World >README.md");
      visitor.looksWell("push");
      visitor.link("What has changed").click();
      assertThat(visitor.page.locator("changes-panel")).containsText("World");
      assertThat(visitor.button("Create pull request")).isDisabled();
      visitor.page.goBack();
      visitor.sees("where the agent works. PUSH_WAITS in hello");
      assertThat(card.locator("file-diff .a")).hasText("+World");
      visitor.button("Allow once").click();
      assertThat(card).containsText("Allowed once by you");
      visitor.link("What has changed").click();
      assertThat(visitor.page.locator("changes-panel")).containsText("pushed to greeting");
    }
  }

  @Test
  void eachFileIsShownBeforeItMayBeAllowed(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Locator card = asked(host, folder, "seq 500 >long; chmod +x README.md; ln -s /etc link");
      assertThat(card).containsText("+501 −0 in 3 files");
      assertThat(card.locator("summary").filter(having("README.md"))).containsText("644 → 100755");
      assertThat(card.locator("summary").filter(having("link"))).containsText("new, link");
      assertThat(card).containsText("once each of its files was shown");
      assertThat(visitor.button("Allow once")).hasCount(0);
      visitor.page.keyboard().press("a");
      visitor.page.keyboard().press("a");
      assertThat(visitor.button("Allow it")).hasCount(0);
      visitor.looksWell("push-unseen");
      visitor.button("Show the one that is closed").click();
      assertThat(card.locator(".a").getByText("+500")).isAttached();
      visitor.button("Allow once").click();
      assertThat(card).containsText("Allowed once by you");
    }
  }

  @Test
  void whatCannotBeShownNeedsTheNameOfTheBranch(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Locator card = asked(host, folder, "printf '\\377\\0' >script");
      assertThat(card.locator("summary")).containsText("not text, so not shown");
      assertThat(visitor.button("Allow once")).hasCount(0);
      visitor.looksWell("push-binary");
      card.getByLabel("Not shown: script.").fill("greetin");
      assertThat(visitor.button("Allow once")).hasCount(0);
      card.getByLabel("Not shown: script.").fill("greeting");
      visitor.button("Allow once").click();
      assertThat(card).containsText("Allowed once by you");
    }
  }

  @Test
  void anotherPatchThanTheOneThatIsAskedAboutIsNotAllowed(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      visitor.page.route(
          url -> url.contains("/files/") || url.contains("X-Amz-Signature"),
          route -> route.fulfill(new Route.FulfillOptions().setBody("diff --git a/x b/x\n")));
      Locator card = asked(host, folder, "echo World >README.md");
      assertThat(card.locator("[role=alert]")).containsText("not the patch that would be pushed");
      assertThat(visitor.button("Deny")).isVisible();
      assertThat(visitor.button("Allow once")).hasCount(0);
    }
  }

  @Test
  void countsThatDifferAreSaidAndNothingIsAllowed(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      visitor.page.route(
          url -> url.matches(".*/rest/v1/sessions/[0-9a-f-]+"),
          route -> {
            String body = route.fetch().text().replace("\"additions\":1", "\"additions\":2");
            route.fulfill(
                new Route.FulfillOptions().setContentType("application/json").setBody(body));
          });
      Locator card = asked(host, folder, "echo World >README.md");
      assertThat(card.locator("[role=alert]")).containsText("+1 −1 in 1 file");
      assertThat(card.locator("[role=alert]")).containsText("+2 −1 in 1 file");
      assertThat(visitor.button("Allow once")).hasCount(0);
    }
  }

  @Test
  void whyItWasRefusedAfterwardsIsSaid(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Locator card = asked(host, folder, "rm README.md; ln -s /etc README.md");
      assertThat(card.locator("file-diff")).hasCount(2);
      Path hook = folder.resolve("host").resolve(REMOTE).resolve("hooks/pre-receive");
      Files.createDirectories(hook.getParent());
      Files.writeString(hook, "#!/bin/sh\necho not on a Saturday >&2; exit 1\n");
      Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
      visitor.button("Allow once").click();
      assertThat(card).containsText("Allowed once by you");
      assertThat(card.locator(".problem")).containsText("could not be pushed");
    }
  }

  /// Patches of names and lines that could be taken for something else, with every line break of
  /// Unicode, are read as git reads them.
  @Test
  void aPatchIsReadAsGitReadsIt(@TempDir Path folder) throws IOException {
    Path patch = RandomPatch.make(folder);
    visitor.go("/inbox");
    assertThat(visitor.page.locator(".inbox")).isVisible();
    Object read =
        visitor.page.evaluate(
            """
            async (bytes) => {
              const url = document.querySelector('link[href$="/text/text.js"]').href;
              const { decoded, files } = await import(url.replace('text.js', 'diff.js'));
              return files(decoded(new Uint8Array(bytes))).map(({ added, removed, isWhole }) =>
                  isWhole ? `${added} ${removed}` : '- -');
            }
            """,
            RandomPatch.numbers(Files.readAllBytes(patch)));
    assertEquals(RandomPatch.counts(folder), read);
  }

  private Locator asked(GitHost host, Path folder, String script) {
    Map<String, ?> repository =
        Map.of(
            "url", seeded(host, folder),
            "credential", Map.of("username", GitHost.USER, "token", GitHost.PASSWORD),
            "push", Map.of("branch", "greeting"));
    Map<String, ?> asks = Map.of("rules", List.of(Map.of("kind", "push", "policy", "ask")));
    SessionHandle talk =
        client.create(
            "shell", script, Map.of("repositories", List.of(repository), "permissions", asks));
    talk.first().completed();
    visitor.goToSession(talk.id());
    Locator card = visitor.page.locator("request-card article");
    assertThat(card).containsText("to the branch greeting");
    return card;
  }

  private static String seeded(GitHost host, Path folder) {
    GitHost.script(
        folder,
        """
        git init -q -b main seed; cd seed
        echo Hello >README.md; git add .; git commit -qm Hello; git push -q %s main
        """
            .formatted(host.create(REMOTE)));
    return host.url(REMOTE);
  }

  private static Locator.FilterOptions having(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }
}
