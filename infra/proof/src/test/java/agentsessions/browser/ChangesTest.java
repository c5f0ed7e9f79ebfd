package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import agentsessions.testing.GitHost;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The inputs of a session in the form, and its changes in the panel.
@InBrowser
record ChangesTest(Visitor visitor) {
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

  /// The URL of a repository with one file.
  private static String hello(GitHost host, Path folder) {
    host.open();
    GitHost.script(
        folder,
        """
        git init -q -b main seed; cd seed
        echo Hello >README.md; git add .; git commit -qm Hello; git push -q %s main
        """
            .formatted(host.create("hello.git")));
    return host.url("hello.git");
  }
}
