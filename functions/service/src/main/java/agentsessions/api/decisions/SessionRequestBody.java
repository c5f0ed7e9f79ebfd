package agentsessions.api.decisions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.rule.Question;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.request.RequestedPush;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request for a decision as the API shows it: for the permission to call a tool or to connect to
/// a host, for answers to an agent's questions, for a plan, or for pushes. Those for a host and for
/// pushes are enforced: the agent's own hook asks for a call, and a plan is made by the mode in
/// which the agent runs.
@Serdeable
public record SessionRequestBody(
    String id,
    String sessionId,
    String threadId,
    String kind,
    String status,
    boolean enforced,
    String title,
    @Nullable Tool tool,
    @Nullable List<Question> questions,
    @Nullable String planArtifactId,
    String fingerprint,
    String createdAt,
    String expiresAt,
    @Nullable Decided decision,
    @JsonProperty("_links") RequestLinks links) {
  /// The call that waits, with its input as JSON of any type.
  @Serdeable
  record Tool(String name, String kind, JsonNode input) {}

  @Serdeable
  record Decided(
      String decision,
      @Nullable String note,
      @Nullable Map<String, List<String>> answers,
      @Nullable String keyId,
      String at) {
    static Decided of(Decision decision) {
      return new Decided(
          decision.word().text(),
          decision.note(),
          decision.answers().isEmpty() ? null : decision.answers(),
          decision.keyId(),
          CommonJson.time(decision.at()));
    }
  }

  @Serdeable
  record RequestLinks(
      CommonJson.Href self,
      CommonJson.Href session,
      CommonJson.Href thread,
      CommonJson.Href decision) {
    static RequestLinks of(Request request, Links links) {
      SessionId session = request.turn().sessionId();
      RequestId id = request.id();
      return new RequestLinks(
          new CommonJson.Href(links.request(session, id)),
          new CommonJson.Href(links.session(session)),
          new CommonJson.Href(links.thread(session, request.turn().id())),
          new CommonJson.Href(links.decision(session, id)));
    }
  }

  public static SessionRequestBody of(Request request, Links links, JsonMapper json) {
    return new SessionRequestBody(
        request.id().toString(),
        request.turn().sessionId().toString(),
        request.turn().id().toString(),
        request.kind().word(),
        request.status().word(),
        isEnforced(request),
        request.title(),
        tool(request, json),
        request.questions().isEmpty() ? null : request.questions(),
        request.plan() == null ? null : request.plan().toString(),
        request.fingerprint(),
        CommonJson.time(request.createdAt().instant()),
        CommonJson.time(request.expiresAt()),
        request.decision() == null ? null : Decided.of(request.decision()),
        RequestLinks.of(request, links));
  }

  private static boolean isEnforced(Request request) {
    return request.kind() == Request.Kind.PUSH
        || (request.tool() != null && request.tool().kind().enforced());
  }

  private static @Nullable Tool tool(Request request, JsonMapper json) {
    if (request.kind() == Request.Kind.PUSH) {
      return new Tool(
          RequestedPush.TOOL, ToolPermissions.Kind.PUSH.word(), pushes(request.pushes()));
    }
    Request.Tool tool = request.tool();
    return tool == null
        ? null
        : new Tool(tool.name(), tool.kind().word(), input(tool.input(), json));
  }

  /// What is pushed, where a call has its input.
  private static JsonNode pushes(List<RequestedPush> pushes) {
    return JsonNode.createObjectNode(
        Map.of(
            "repositories",
            JsonNode.createArrayNode(pushes.stream().map(SessionRequestBody::push).toList())));
  }

  private static JsonNode push(RequestedPush push) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    fields.put("path", JsonNode.createStringNode(push.path()));
    fields.put("url", JsonNode.createStringNode(push.url()));
    fields.put("branch", JsonNode.createStringNode(push.branch()));
    fields.put("head_commit", text(push.head()));
    fields.put("base_commit", text(push.base()));
    fields.put("patch_sha256", JsonNode.createStringNode(push.patch()));
    fields.put("tree", text(push.tree()));
    fields.put(
        "pull_request", JsonNode.createBooleanNode(push.target().push().pullRequest() != null));
    return JsonNode.createObjectNode(fields);
  }

  private static JsonNode text(@Nullable String value) {
    return value == null ? JsonNode.nullNode() : JsonNode.createStringNode(value);
  }

  /// An input that masking has left without a form is shown as the text that it is.
  private static JsonNode input(String text, JsonMapper json) {
    try {
      JsonNode read = json.readValue(text, Argument.of(JsonNode.class));
      return read == null ? JsonNode.nullNode() : read;
    } catch (IOException | IllegalStateException malformed) {
      return JsonNode.createStringNode(text);
    }
  }
}
