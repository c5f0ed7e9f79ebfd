package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Json;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.git.GitHostApi;
import agentsessions.testing.Loopback;
import agentsessions.wire.Work;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pull requests on a stand-in with the APIs of all three providers, which records the requests.
class PullRequestsTest {
  private final List<String> asked = new ArrayList<>();
  private final ArrayNode open = Json.MAPPER.createArrayNode();
  private Loopback host;
  private GitHostApi api;
  private int refusals;
  private boolean losing;

  @BeforeEach
  void open() throws IOException {
    host = new Loopback(this::answer);
    api = new GitHostApi(new Addresses(true));
  }

  @AfterEach
  void close() {
    api.close();
    host.close();
  }

  @ParameterizedTest
  @CsvSource({
    "github, /api/v3/repos/team/app/pulls, Bearer t0ken",
    "gitlab, /api/v4/projects/team%2Fapp/merge_requests, Bearer t0ken",
    "gitea, /api/v1/repos/team/app/pulls, token t0ken",
  })
  void oneIsMadeAndThenFoundAgain(String provider, String path, String authorization)
      throws Exception {
    String url = ask(provider, null).pullRequest().orElseThrow();
    assertEquals("https://host.example/1", url);
    assertTrue(asked.getLast().startsWith("POST " + path + " " + authorization), asked::toString);
    assertEquals(url, ask(provider, null).pullRequest().orElseThrow());
    assertEquals(1, open.size());
    int calls = asked.size();
    assertEquals(url, ask(provider, url).pullRequest().orElseThrow());
    assertEquals(calls, asked.size());
  }

  @ParameterizedTest
  @CsvSource({
    "github, main, Title, body, draft",
    "gitlab, main, Draft: Title, description, source_branch",
    "gitea, main, WIP: Title, body, head"
  })
  void requestSaysWhatTheClientWants(
      String provider, String base, String title, String text, String field) throws Exception {
    ask(provider, null);
    JsonNode made = open.get(0).path("made");
    assertEquals(title, made.path("title").asText());
    assertEquals("Body", made.path(text).asText());
    assertTrue(made.has(field), made::toString);
    assertTrue(made.toString().contains("\"" + base + "\""), made::toString);
  }

  @Test
  void oneWhoseAnswerWasLostIsFoundAgain() throws Exception {
    losing = true;
    assertEquals("https://host.example/1", ask("github", null).pullRequest().orElseThrow());
    assertEquals(1, open.size());
  }

  @Test
  void refusalIsSaidInTheHostsWords() throws Exception {
    refusals = 1;
    RepositoryChange change = ask("github", null);
    assertEquals("PULL_REQUEST_FAILED", change.fault().orElseThrow().code());
    assertTrue(change.problem().orElseThrow().contains("No commits"), change::toString);
    assertEquals("PULL_REQUEST_FAILED", ask("nobody", null).fault().orElseThrow().code());
  }

  private RepositoryChange ask(String provider, @Nullable String known)
      throws InterruptedException {
    Work.Repository repository =
        new Work.Repository(
            1,
            host.url() + "/team/app.git",
            null,
            "app",
            50,
            false,
            new Work.Credential("robot", "t0ken"),
            null,
            null,
            null,
            null,
            List.of(),
            new Work.Push(
                "agent/work",
                false,
                null,
                provider,
                new Work.PullRequest("Title", "Body", true),
                known,
                null));
    RepositoryState state = new RepositoryState.Seen("1", "main", "2", 1, 1, 0, "3", 1, true);
    RepositoryChange change =
        RepositoryChange.of(repository, "1", state, new UntrustedFolder(Path.of("/")), 1);
    return new PullRequests(api)
        .ask(change, "main", "Subject", Deadline.of(Duration.ofSeconds(20)));
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(
          "%s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().getRawPath(),
                  exchange.getRequestHeaders().getFirst("Authorization")));
      JsonNode sent = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
      if (exchange.getRequestMethod().equals("GET")) {
        send(exchange, 200, open);
      } else if (refusals > 0) {
        send(exchange, 422, Json.MAPPER.createObjectNode().put("message", "No commits"));
      } else {
        ObjectNode made = made(sent);
        open.add(made);
        send(exchange, losing ? 502 : 201, losing ? Json.MAPPER.createObjectNode() : made);
      }
    }
  }

  /// A pull request in the fields of all three providers.
  private ObjectNode made(JsonNode sent) {
    String url = "https://host.example/" + (open.size() + 1);
    ObjectNode made =
        Json.MAPPER
            .createObjectNode()
            .put("html_url", url)
            .put("web_url", url)
            .put("source_branch", sent.path("source_branch").asText());
    made.putObject("head").set("ref", sent.path("head"));
    made.putObject("base").set("ref", sent.path("base"));
    made.set("made", sent);
    return made;
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
