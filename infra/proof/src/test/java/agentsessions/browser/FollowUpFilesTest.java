package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that are sent with a follow-up to an existing session.
@InBrowser
record FollowUpFilesTest(Client client, Visitor visitor) {
  private static final int TOO_LARGE_FOR_A_MESSAGE = 300_000;

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
}
