package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// The keys and exports that the console hands out.
@InBrowser
record HandedOutTest(Client client, Visitor visitor) {
  /// A revoked key is refused once the service has dropped it from its cache: after two seconds
  /// here, with much time to spare for a busy machine.
  private static final Duration UNTIL_FORGOTTEN = Duration.ofSeconds(60);

  @Test
  void aKeyMadeHereIsGoodForAProgramUntilItIsRevokedHere() {
    visitor.go("/settings");
    visitor.button("New key").click();
    visitor.page.getByLabel("Name").first().fill("ci-nightly");
    visitor.button("Create").click();
    Locator made = visitor.page.locator(".notice .value");
    assertThat(made).containsText("ask_");
    visitor.mayUseTheClipboard();
    visitor.button("Copy").click();
    assertThat(visitor.button("Copied")).isVisible();
    String key = (String) visitor.page.evaluate("navigator.clipboard.readText()");
    assertEquals(made.textContent(), key);
    assertEquals("ci-nightly", curl(key, "/me").path("name").asText());
    SessionHandle session = new SessionHandle(client, curl(key, "/sessions", "echo by a program"));
    assertEquals("by a program", session.first().completed());
    visitor.button("Done").click();
    assertThat(made).hasCount(0);
    Locator row = visitor.page.locator("tr", new Page.LocatorOptions().setHasText("ci-nightly"));
    row.getByText("Revoke").click();
    row.getByText("Revoke it").click();
    assertThat(row).containsText("revoked");
    Await.await("the end of the key", UNTIL_FORGOTTEN, Duration.ofSeconds(1))
        .until(() -> curl(key, "/me").path("code").asText(), "UNAUTHORIZED"::equals);
  }

  /// The output of curl, which reads the key from its standard input.
  private JsonNode curl(String key, String path, String... message) {
    List<String> command =
        new ArrayList<>(List.of("curl", "-sS", "-m", "30", "-H", "@-", client.base() + path));
    for (String each : message) {
      String body =
          Client.JSON.createObjectNode().put("agent_name", "shell").put("message", each).toString();
      command.addAll(List.of("-H", "Content-Type: application/json", "-d", body));
    }
    try {
      Process curl =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try (Writer header = curl.outputWriter()) {
        header.write("Authorization: ApiKey " + key + "\n");
      }
      return Client.JSON.readTree(curl.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSessionIsTakenHomeAsOneFile() throws IOException {
    SessionHandle session =
        client.create("shell", "mkdir outputs; echo 1,2 > outputs/times.csv; echo made");
    assertEquals("made", session.first().completed());
    visitor.go("/sessions/" + session.id() + "/details");
    Download download = visitor.page.waitForDownload(() -> visitor.button("Export").click());
    assertEquals("session-%s.zip".formatted(session.id()), download.suggestedFilename());
    assertThat(visitor.link("The whole session as a zip")).isVisible();
    try (ZipFile zip = new ZipFile(download.path().toFile())) {
      List<String> names = zip.stream().map(entry -> entry.getName()).toList();
      assertTrue(names.stream().anyMatch(name -> name.endsWith("/times.csv")), names::toString);
      assertTrue(
          new String(zip.getInputStream(zip.getEntry("history.md")).readAllBytes(), UTF_8)
              .contains("made"));
    }
  }
}
