package agentsessions.client.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What of the API this client reads, on one page: one record a JSON object of
/// `infra/openapi.yaml`. Fields it does not need are left out.
public final class Wire {
  private static final Set<String> LIVE = Set.of("queued", "running");

  private Wire() {}

  /// A session.
  ///
  /// @param planArtifactIds the latest artifact of each plan, oldest plan first; absent in lists
  /// @param threadId its current thread
  /// @param sessionHtmlUrl where a person sees it in a browser, if the service has pages
  public record Session(
      String id,
      String agentName,
      @Nullable String title,
      String status,
      @Nullable List<String> planArtifactIds,
      String threadId,
      String updatedAt,
      @Nullable String sessionHtmlUrl) {}

  public record SessionPage(List<Session> items) {}

  /// A message of the user that was accepted, and the thread it started.
  public record Sent(String sessionId, String threadId) {}

  /// The API's thread: one user message and what became of it.
  ///
  /// @param repositories the session's, as this turn left them once it has ended
  /// @param usage what it has used of its models
  public record Turn(
      String id,
      String status,
      @Nullable TurnError error,
      @Nullable String supersededBy,
      @Nullable List<Repository> repositories,
      @Nullable Usage usage) {
    public boolean isLive() {
      return LIVE.contains(status);
    }
  }

  public record TurnPage(List<Turn> items) {}

  /// What a turn has used of its models.
  ///
  /// @param costUsd null where a model has no price
  /// @param knownCostUsd what the others cost; null from a service that does not say it yet
  public record Usage(
      long modelRequests,
      long inputTokens,
      long outputTokens,
      long cacheReadTokens,
      long cacheWriteTokens,
      BigDecimal activeSeconds,
      @Nullable BigDecimal costUsd,
      @Nullable BigDecimal knownCostUsd,
      boolean complete) {

    /// On one line; empty for a turn that asked no model.
    public Optional<String> line() {
      if (modelRequests == 0) {
        return Optional.empty();
      }
      String tokens =
          "%,d tokens read (%,d of them cached), %,d written"
              .formatted(
                  inputTokens + cacheReadTokens + cacheWriteTokens, cacheReadTokens, outputTokens);
      return Optional.of("%s: %s%s".formatted(cost(), tokens, complete ? "" : ", perhaps more"));
    }

    private String cost() {
      if (costUsd != null) {
        return "$" + costUsd.toPlainString();
      }
      return knownCostUsd != null && knownCostUsd.signum() > 0
          ? "at least $" + knownCostUsd.toPlainString()
          : "no price";
    }
  }

  public record TurnError(String code, String message, boolean retryable) {}

  /// A repository of a session and how it differs from the commit that was cloned.
  ///
  /// @param path its folder
  /// @param patchArtifactId of the artifact with all that differs; null if nothing does
  public record Repository(
      String url,
      @Nullable String ref,
      String path,
      @Nullable String baseCommit,
      @Nullable String headCommit,
      @Nullable String branch,
      int filesChanged,
      int additions,
      int deletions,
      @Nullable String patchArtifactId,
      @Nullable Pushed pushed,
      @Nullable RepositoryError error) {}

  public record Pushed(String branch, String commit, String at) {}

  public record RepositoryError(String code, String message) {}

  /// What of a session tells what became of its repositories.
  public record Work(
      @Nullable List<Repository> repositories, @Nullable List<String> pullRequests) {}

  /// Where a file may be put, and what of the request that puts it was signed.
  public record Upload(String id, String url, Map<String, String> headers) {}

  /// One message of the history.
  ///
  /// @param ts epoch seconds; kept exact, since it is sent back as a filter
  /// @param outcome only of a `final_message`
  public record Message(
      String id,
      String threadId,
      String role,
      String type,
      String message,
      @Nullable String outcome,
      BigDecimal ts) {
    public boolean isFinal() {
      return type.equals("final_message");
    }

    public boolean isFromUser() {
      return role.equals("user");
    }
  }

  /// The end of an answer that is an event stream.
  public record StreamEnd(String reason) {}

  public record Href(String href) {}

  public record Links(@Nullable Href next, @Nullable Href newMessages) {}

  /// A page of messages.
  ///
  /// @param thread only on a page of one thread
  /// @param pollAfterSeconds only while that thread is live
  public record MessagePage(
      List<Message> items,
      @Nullable Turn thread,
      @Nullable Integer pollAfterSeconds,
      @JsonProperty("_links") Links links) {
    public Optional<Message> reply() {
      return items.stream().filter(Message::isFinal).findFirst();
    }
  }

  /// A plan or file, with the link it is downloaded from.
  public record Artifact(
      String id,
      String url,
      String fileName,
      String filePath,
      double fileSizeInKb,
      String sha256,
      String createdAt) {}

  public record ArtifactPage(List<Artifact> items, @JsonProperty("_links") Links links) {}

  public record Agent(String name, @Nullable String description) {}

  public record AgentList(List<Agent> items) {}

  /// The one shape of every error.
  public record Problem(
      String code, String message, @Nullable String requestId, @Nullable List<Detail> details) {}

  public record Detail(String field, String message) {}
}
