package agentsessions.runner.repository;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The git hosts whose API for pull requests is supported, with its paths and fields.
enum GitProvider {
  GITHUB {
    @Override
    String base(URI repository) {
      return repository.getHost().equals("github.com")
          ? "https://api.github.com"
          : place(repository) + "/api/v3";
    }

    @Override
    String list(String name) {
      return "/repos/" + name + "/pulls";
    }

    @Override
    String search(String name, PullRequestDraft draft) {
      String owner = name.substring(0, Math.max(0, name.indexOf('/')));
      return "?state=open&head=%s&base=%s"
          .formatted(encoded(owner + ":" + draft.branch()), encoded(draft.base()));
    }

    @Override
    boolean is(JsonNode found, PullRequestDraft draft) {
      return found.at("/head/ref").asText().equals(draft.branch());
    }

    @Override
    ObjectNode body(PullRequestDraft draft) {
      return Json.MAPPER
          .createObjectNode()
          .put("title", draft.title())
          .put("body", draft.body())
          .put("head", draft.branch())
          .put("base", draft.base())
          .put("draft", draft.isDraft());
    }

    @Override
    String authorization(String token) {
      return "Bearer " + token;
    }
  },

  GITLAB {
    @Override
    String base(URI repository) {
      return place(repository) + "/api/v4";
    }

    @Override
    String list(String name) {
      return "/projects/" + encoded(name) + "/merge_requests";
    }

    @Override
    String search(String name, PullRequestDraft draft) {
      return "?state=opened&source_branch=%s&target_branch=%s"
          .formatted(encoded(draft.branch()), encoded(draft.base()));
    }

    @Override
    boolean is(JsonNode found, PullRequestDraft draft) {
      return found.path("source_branch").asText().equals(draft.branch());
    }

    @Override
    ObjectNode body(PullRequestDraft draft) {
      return Json.MAPPER
          .createObjectNode()
          .put("title", (draft.isDraft() ? "Draft: " : "") + draft.title())
          .put("description", draft.body())
          .put("source_branch", draft.branch())
          .put("target_branch", draft.base());
    }

    @Override
    String authorization(String token) {
      return "Bearer " + token;
    }

    @Override
    String link() {
      return "web_url";
    }
  },

  /// Forgejo has the same API.
  GITEA {
    @Override
    String base(URI repository) {
      return place(repository) + "/api/v1";
    }

    @Override
    String list(String name) {
      return "/repos/" + name + "/pulls";
    }

    @Override
    String search(String name, PullRequestDraft draft) {
      return "?state=open&sort=recentupdate&limit=50";
    }

    @Override
    boolean is(JsonNode found, PullRequestDraft draft) {
      return found.at("/head/ref").asText().equals(draft.branch())
          && found.at("/base/ref").asText().equals(draft.base());
    }

    @Override
    ObjectNode body(PullRequestDraft draft) {
      return Json.MAPPER
          .createObjectNode()
          .put("title", (draft.isDraft() ? "WIP: " : "") + draft.title())
          .put("body", draft.body())
          .put("head", draft.branch())
          .put("base", draft.base());
    }

    @Override
    String authorization(String token) {
      return "token " + token;
    }
  };

  static Optional<GitProvider> of(@Nullable String name) {
    return Stream.of(values())
        .filter(provider -> provider.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }

  /// The base URL of the API, for the host of a repository: the only other place that the
  /// repository's credential is sent to.
  abstract String base(URI repository);

  /// The path of a repository's pull requests in the API.
  abstract String list(String name);

  /// The query for the open pull requests of a branch.
  abstract String search(String name, PullRequestDraft draft);

  /// Whether a found pull request is the wanted one.
  abstract boolean is(JsonNode found, PullRequestDraft draft);

  abstract ObjectNode body(PullRequestDraft draft);

  abstract String authorization(String token);

  /// The field with the URL of the web page.
  String link() {
    return "html_url";
  }

  /// A repository's name: its path without `.git`.
  static String name(URI repository) {
    return repository.getRawPath().replaceFirst("^/", "").replaceFirst("\\.git$|/$", "");
  }

  private static String place(URI repository) {
    return "%s://%s".formatted(repository.getScheme(), repository.getRawAuthority());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
