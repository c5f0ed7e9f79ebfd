package agentsessions.contract.session;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A git host of one test with one repository, which demands a password and answers pull requests
/// as Gitea does.
record TestGitHost(GitHost host, Path folder, Path bare, ArrayNode pullRequests)
    implements AutoCloseable {
  private static final String NAME = "team/app.git";

  /// Starts a host with a new repository.
  ///
  /// @param seed a bash script that makes the repository's files and commits
  /// @throws org.opentest4j.TestAbortedException if the service may not clone from this machine
  static TestGitHost with(Path folder, String seed) throws IOException {
    assumeTrue(Target.trusts(), "needs a service that may clone from here: CONTRACT_TRUSTS=true");
    GitHost host = new GitHost(folder.resolve("host"), Target.gitPort());
    Path bare = host.create(NAME);
    Path work = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(work, "git init -q -b main\n%s\ngit push -q %s main".formatted(seed, bare));
    TestGitHost remote = new TestGitHost(host, folder, bare, Client.JSON.createArrayNode());
    host.serve("/api/v1/repos/team/app/pulls", remote::answer);
    return remote;
  }

  /// The entry in a session's `repositories` that clones it with this secret of the workspace.
  Map<String, Object> asked(String secret) {
    return Map.of("url", url(), "credential", Map.of("username", GitHost.USER, "secret", secret));
  }

  String url() {
    return host.url(NAME);
  }

  /// Stores a password for this host as a secret of the workspace.
  void keep(Client client, String secret, String password) {
    Map<String, Object> body =
        Map.of("value", password, "hosts", new String[] {"127.0.0.1:" + host.port()});
    client.put("/secrets/" + secret, body).expect(204);
  }

  /// The output of a git command in the repository.
  String git(String command) {
    return GitHost.script(bare, "git " + command).strip();
  }

  /// The id of the tree that results from a patch on a commit.
  String treeOf(String commit, byte[] patch) throws IOException {
    Path clone = Files.createTempDirectory(folder, "fresh");
    Files.write(folder.resolve("patch"), patch);
    return GitHost.script(
            clone,
            """
            git init -q; git fetch -q %s %s; git checkout -q FETCH_HEAD 2>&1
            git apply --index ../patch; git write-tree
            """
                .formatted(bare, commit))
        .strip();
  }

  @Override
  public void close() {
    host.close();
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean knows =
          ("token " + GitHost.PASSWORD)
              .equals(exchange.getRequestHeaders().getFirst("Authorization"));
      if (!knows) {
        exchange.sendResponseHeaders(401, -1);
      } else if (exchange.getRequestMethod().equals("GET")) {
        send(exchange, 200, pullRequests);
      } else {
        ObjectNode made = made(Client.JSON.readTree(exchange.getRequestBody().readAllBytes()));
        pullRequests.add(made);
        send(exchange, 201, made);
      }
    }
  }

  private ObjectNode made(JsonNode sent) {
    ObjectNode made =
        Client.JSON
            .createObjectNode()
            .put("html_url", host.url("team/app/pulls/" + (pullRequests.size() + 1)));
    made.set("title", sent.path("title"));
    made.putObject("head").set("ref", sent.path("head"));
    made.putObject("base").set("ref", sent.path("base"));
    return made;
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
