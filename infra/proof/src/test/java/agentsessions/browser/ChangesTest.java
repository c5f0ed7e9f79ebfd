package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.testing.GitHost;
import com.microsoft.playwright.Locator;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The inputs of a session in the form, the files of a follow-up, and its changes in the panel.
@InBrowser
record ChangesTest(Client client, Visitor visitor) {
  private static final int TOO_LARGE_FOR_A_MESSAGE = 300_000;

  @Test
  void aSessionGetsARepositoryFilesAndAVariableAndItsChangesAreShown(@TempDir Path folder)
      throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.txt"), "from a file");
    Path large = Files.write(folder.resolve("large"), new byte[TOO_LARGE_FOR_A_MESSAGE]);
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      visitor.go("/new");
      Locator form = visitor.page.locator("new-session form");
      form.getByLabel("What should the agent do?")
          .fill("echo World >>README.md; cat ../notes.txt; echo \" and $LEVEL\"; wc -c <../large");
      form.locator("#agent").selectOption("shell");
      form.locator("#url-0").fill(hello(host, folder));
      assertThat(form.locator("[title^='Up to 20 files of 1 GB each']")).isVisible();
      form.locator("input[type=file]").setInputFiles(new Path[] {notes, large});
      form.locator("summary").getByText("variables").click();
      form.locator("#variables").fill("LEVEL=debug");
      visitor.button("Start").click();
      visitor.sees("from a file and debug");
      visitor.sees(String.valueOf(TOO_LARGE_FOR_A_MESSAGE));
      visitor.link("Changes").click();
      Locator panel = visitor.page.locator("changes-panel");
      assertThat(panel).containsText("+1 −0 in 1 file · not pushed");
      Locator added = panel.locator(".diff .a");
      assertThat(added).hasText("+World");
      panel.locator("summary").getByText("README.md").click();
      assertThat(added).isHidden();
      visitor.button("Open all").click();
      assertThat(added).isVisible();
      visitor.button("Close all").click();
      assertThat(added).isHidden();
    }
  }

  @Test
  void theAgentFindsTheFilesOfAFollowUpAndNoneThatWasLeftOut(@TempDir Path folder)
      throws IOException {
    Path notes = Files.writeString(folder.resolve("notes.txt"), "from a file");
    Path large = Files.write(folder.resolve("large"), new byte[TOO_LARGE_FOR_A_MESSAGE]);
    Path wrong = Files.writeString(folder.resolve("wrong.txt"), "not this one");
    SessionHandle talk = client.create("shell", "echo one");
    talk.first().completed();
    visitor.goToSession(talk.id());
    Locator composer = visitor.page.locator("message-composer");
    composer.locator("input[type=file]").setInputFiles(new Path[] {notes, large, wrong});
    assertThat(composer.locator("li")).hasCount(3);
    visitor.button("Leave out wrong.txt").click();
    assertThat(composer.locator("li")).hasCount(2);
    visitor.say("cat notes.txt; wc -c <large; ls");
    visitor.sees("from a file" + TOO_LARGE_FOR_A_MESSAGE);
    assertThat(visitor.page.locator(".transcript")).not().containsText("wrong.txt");
    assertThat(composer.locator("li")).hasCount(0);
  }

  /// Git ends a line by a line feed only. Whatever a browser takes for a line break, no file begins
  /// there, and no line after it is left out.
  @Test
  void noLineOfAPatchIsTakenForAnotherFile(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      SessionHandle talk =
          client.create(
              "shell",
              "printf '%b' 'a\\u2028diff --git a/x b/x\\nb\\rdiff --git a/x b/x\\n-- c\\nhidden\\n' >README.md",
              Map.of("repositories", List.of(Map.of("url", hello(host, folder)))));
      talk.first().completed();
      visitor.goToSession(talk.id());
      visitor.go("/sessions/" + talk.id() + "/changes");
      assertThat(visitor.page.locator("file-diff")).hasCount(1);
      assertThat(visitor.page.locator("file-diff summary")).containsText("+4");
      assertThat(visitor.page.locator(".diff .a"))
          .hasText(
              new String[] {
                "+a\\u2028diff --git a/x b/x", "+b\\u000ddiff --git a/x b/x", "+-- c", "+hidden"
              });
    }
  }

  @Test
  void commentsOnLinesBecomeThePartsOfTheNextMessage(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      SessionHandle talk =
          client.create(
              "shell",
              "printf 'final int one = 1;\\nreturn one;\\n' >One.java; echo World >README.md",
              Map.of("repositories", List.of(Map.of("url", hello(host, folder)))));
      talk.first().completed();
      visitor.goToSession(talk.id());
      visitor.go("/sessions/" + talk.id() + "/changes");
      Locator code = visitor.page.locator("file-diff").filter(having("One.java"));
      assertThat(code.locator(".token.keyword").first()).hasText("final");
      assertThat(code.locator(".a .numbers").nth(1)).hasAttribute("data-after", "2");
      code.locator("button.numbers").first().focus();
      visitor.page.keyboard().press("ArrowDown");
      visitor.page.keyboard().press("Enter");
      visitor.page.keyboard().type("Why?");
      visitor.page.keyboard().press("Control+Enter");
      assertThat(code.locator("[role=status]")).containsText("line 2 is in the message");
      assertThat(code.getByLabel("Comment on line 2")).isFocused();
      Locator readme = visitor.page.locator("file-diff").filter(having("README.md"));
      readme.getByLabel("Comment on line 1").first().click();
      visitor.page.keyboard().type("Keep it.");
      visitor.looksWell("changes");
      visitor.button("Add to the message").click();
      assertThat(readme.locator("form")).hasCount(0);
      visitor.go("/sessions/" + talk.id());
      assertThat(visitor.page.locator("message-composer textarea"))
          .hasValue("One.java:2\n> +return one;\nWhy?\n\nREADME.md:1\n> -Hello\nKeep it.");
    }
  }

  @Test
  void aPullRequestIsMadeOfTheChangesAfterwards(@TempDir Path folder) throws IOException {
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      host.serve("/api/v1/repos/team/hello/pulls", exchange -> answer(host, exchange));
      Map<String, ?> repository =
          Map.of(
              "url", seeded(host, folder, "team/hello.git"),
              "credential", Map.of("username", GitHost.USER, "token", GitHost.PASSWORD));
      SessionHandle talk =
          client.create(
              "shell", "echo World >README.md", Map.of("repositories", List.of(repository)));
      talk.first().completed();
      visitor.goToSession(talk.id());
      visitor.go("/sessions/" + talk.id() + "/changes");
      Locator panel = visitor.page.locator("pull-request");
      visitor.button("Create pull request").click();
      panel.getByLabel("Title").fill("Greet the world");
      panel.getByText("Create", exactly()).click();
      assertThat(panel.locator("[role=alert]")).containsText("provider must be one of");
      panel.getByLabel("Kind of host").selectOption("gitea");
      visitor.looksWell("pull-request");
      panel.getByText("Create", exactly()).click();
      assertThat(visitor.link(host.url("team/hello/pulls/1"))).isVisible();
      assertThat(visitor.page.locator("changes-panel")).containsText("pushed to agent/");
    }
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  /// As Gitea answers a question for pull requests, and then a new one.
  private static void answer(GitHost host, HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isQuestion = exchange.getRequestMethod().equals("GET");
      String made =
          isQuestion ? "[]" : "{\"html_url\": \"%s\"}".formatted(host.url("team/hello/pulls/1"));
      byte[] bytes = made.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(isQuestion ? 200 : 201, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Locator.FilterOptions having(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  /// The URL of a repository with one file.
  private static String hello(GitHost host, Path folder) {
    host.open();
    return seeded(host, folder, "hello.git");
  }

  private static String seeded(GitHost host, Path folder, String name) {
    GitHost.script(
        folder,
        """
        git init -q -b main seed; cd seed
        echo Hello >README.md; git add .; git commit -qm Hello; git push -q %s main
        """
            .formatted(host.create(name)));
    return host.url(name);
  }
}
