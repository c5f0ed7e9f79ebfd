package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Links are absolute and the service's own: nothing that a client sends changes where they lead.
@Section(number = "api", title = "Links")
final class LinksTest {
  private static final List<String> HEADERS =
      List.of(
          "X-Forwarded-Host",
          "X-Forwarded-Server",
          "X-Forwarded-Prefix",
          "X-Original-Host",
          "X-Rewrite-Url",
          "Forwarded");

  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void forwardedHeadersDoNotChangeALink() {
    SessionHandle session = client.create("echo hello");
    String links = session.load().path("_links").toString();
    for (String header : HEADERS) {
      ApiResponse answer = client.get(session.path(), header, "evil.example");
      assertEquals(links, answer.ok().path("_links").toString(), header);
    }
    ApiResponse answer =
        client.get(session.path(), "X-Forwarded-Proto", "gopher", "X-Forwarded-Port", "1");
    assertEquals(links, answer.ok().path("_links").toString());
    String forwarded = "for=1.2.3.4;host=evil.example;proto=gopher";
    answer = client.get(session.path(), "Forwarded", forwarded);
    assertEquals(links, answer.ok().path("_links").toString());
  }

  @Tag("stack")
  @Test
  void theHostHeaderDoesNotChangeALink() {
    SessionHandle session = client.create("echo hello");
    session.first().reply();
    ApiResponse answer = client.get(session.path(), "Host", "evil.example");
    assertFalse(answer.body().contains("evil.example"), answer::toString);
    if (answer.status() == 200) {
      assertEquals(session.load(), answer.json());
    }
  }

  @Test
  void theLocationIsNotMovedEither() {
    ApiResponse answer =
        client.post(
            "/sessions",
            Map.of("agent_name", "shell", "message", "echo hello"),
            "X-Forwarded-Host",
            "evil.example");
    assertTrue(answer.expect(201).header("Location").startsWith(client.base() + "/sessions/"));
  }

  @Test
  void aBrokenWayItCameIsNoMatter() {
    assertEquals(
        client.get("/me").ok(),
        client.get("/me", "Forwarded", "for=\"", "Origin", "http://evil.example").ok());
  }

  @Tag("stack")
  @Test
  void everyLinkIsAbsoluteAndUnderTheBaseUrl() {
    SessionHandle session = client.create("echo hello");
    session.first().reply();
    for (String path : List.of("", "/messages", "/threads/" + session.first().id())) {
      List<String> links = client.get(session.path() + path).ok().findValuesAsText("href");
      assertFalse(links.isEmpty());
      for (String link : links) {
        assertTrue(URI.create(link).isAbsolute() && link.startsWith(client.base() + "/"), link);
      }
    }
  }
}
