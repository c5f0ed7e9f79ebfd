package agentsessions.chat.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The API's JSON objects that this client reads. Each record is an object of `infra/openapi.yaml`,
/// without the fields that the client does not need.
public final class ApiModel {
  private static final String HELD = "requires_action";
  private static final Set<String> LIVE = Set.of("queued", "running", HELD);

  private ApiModel() {}

  /// A session.
  ///
  /// @param planArtifactIds the latest artifact of each plan, oldest plan first; absent in lists
  /// @param threadId its current thread
  /// @param sessionHtmlUrl its page in the console, if the service has one
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

  /// The receipt of a user's message: its session and the thread that it started.
  public record Sent(String sessionId, String threadId) {}

  /// A thread of the API: one user message and the turn that answers it.
  ///
  /// @param repositories the session's repositories as this turn left them, once it has ended
  /// @param usage its model usage and cost
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

    /// Whether it waits for a person's decision.
    public boolean isHeld() {
      return HELD.equals(status);
    }
  }

  public record TurnPage(List<Turn> items) {}

  /// The model usage and cost of a turn.
  ///
  /// @param costUsd null if a model has no price
  /// @param knownCostUsd the cost of the models that have a price; null from older services
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

    /// The usage on one line; empty without model requests.
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

  /// A repository of a session and its changes since the cloned commit.
  ///
  /// @param path the repository's folder
  /// @param patchArtifactId the artifact with all changes; null without changes
  /// @param pullRequestUrl the pull request of its changes; null if there is none
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
      @Nullable String pullRequestUrl,
      @Nullable RepositoryError error) {}

  public record Pushed(String branch, String commit, String at) {}

  public record RepositoryError(String code, String message) {}

  /// The part of a session that is about its repositories.
  ///
  /// @param job what is being done without a turn, such as a push; null: nothing
  public record Work(
      @Nullable String status,
      @Nullable String job,
      @Nullable List<Repository> repositories,
      @Nullable List<String> pullRequests) {
    /// Whether a push waits for a person's decision, or is being done.
    public boolean isOpen() {
      return job != null || HELD.equals(status);
    }
  }

  /// An announced upload: its presigned link, and the headers that were signed and must be sent.
  public record Upload(String id, String url, Map<String, String> headers) {}

  /// One message of the history.
  ///
  /// @param ts epoch seconds; kept exact, since it is sent back as a filter
  /// @param outcome only in a `final_message`
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

  /// The last event of an event stream.
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

  /// An artifact, a plan or file, with its download link.
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

  /// The key that is used.
  record KeyScopes(List<String> scopes) {}

  public record AgentList(List<Agent> items) {}

  /// An error response.
  public record Problem(
      String code, String message, @Nullable String requestId, @Nullable List<Detail> details) {}

  public record Detail(String field, String message) {}
}
