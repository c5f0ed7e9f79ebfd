package agentsessions.runner.repository;

import agentsessions.runner.agent.Json;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.network.git.GitHostApi;
import agentsessions.wire.Work;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// A client for the pull request of one branch on one host.
record PullRequestClient(
    GitHostApi api, Work.Repository repository, GitProvider provider, Deadline time) {

  /// The URL of the open pull request of the branch, which is made if there is none.
  ///
  /// @throws IOException if the host refuses
  String url(PullRequestDraft draft) throws IOException, InterruptedException {
    Optional<String> found = find(draft);
    return found.isPresent() ? found.get() : make(draft);
  }

  private Optional<String> find(PullRequestDraft draft) throws IOException, InterruptedException {
    String name = GitProvider.name(URI.create(repository.url()));
    GitHostApi.Answer answer = call("GET", provider.search(name, draft), Optional.empty());
    if (answer.status() != 200) {
      throw new IOException(message(answer));
    }
    return StreamSupport.stream(json(answer).spliterator(), false)
        .filter(one -> provider.is(one, draft))
        .map(one -> one.path(provider.link()).asText())
        .filter(PullRequestClient::isAddress)
        .findFirst();
  }

  /// After a refusal it searches again: an earlier request whose response was lost may have made
  /// the pull request.
  private String make(PullRequestDraft draft) throws IOException, InterruptedException {
    String body = Json.MAPPER.writeValueAsString(provider.body(draft));
    GitHostApi.Answer answer = call("POST", "", Optional.of(body));
    String made = json(answer).path(provider.link()).asText();
    if (answer.status() / 100 == 2 && isAddress(made)) {
      return made;
    }
    return find(draft).orElseThrow(() -> new IOException(message(answer)));
  }

  private GitHostApi.Answer call(String method, String query, Optional<String> body)
      throws IOException, InterruptedException {
    URI url = URI.create(repository.url());
    String place = provider.base(url) + provider.list(GitProvider.name(url)) + query;
    Work.Credential credential = repository.credential();
    if (credential == null) {
      throw new IOException("the repository has no credential.");
    }
    return api.call(
        method,
        URI.create(place),
        provider.authorization(credential.password()),
        body,
        time.remaining());
  }

  private static boolean isAddress(String text) {
    return text.startsWith("https://") || text.startsWith("http://");
  }

  private static JsonNode json(GitHostApi.Answer answer) {
    return Json.parse(answer.body()).orElseGet(Json.MAPPER::createObjectNode);
  }

  /// The error message, which all providers give in a field of this name.
  private static String message(GitHostApi.Answer answer) {
    String why = json(answer).path("message").toString();
    return "the host answered with status %d%s"
        .formatted(answer.status(), why.isEmpty() ? "." : ": " + why);
  }
}
