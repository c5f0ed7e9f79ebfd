package agentsessions.runner.turn.call;

import agentsessions.rule.Question;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.agent.tool.AgentToolCall;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.ToolGateEntry;
import agentsessions.runner.capture.Digest;
import agentsessions.runner.control.Claim;
import agentsessions.wire.RunnerMessages.DecisionRequest;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The requests that are made of the calls and connections of one turn, each with a name of its
/// own, and with secrets masked.
final class CallRequests {
  private static final int TITLE = 200;
  private static final int NAME = 200;
  private static final int ID = 100;
  private static final String CONNECT = "connect";

  private final Claim claim;
  private final Mask mask;
  private final Map<String, Integer> asked = new HashMap<>();

  CallRequests(Claim claim, Mask mask) {
    this.claim = claim;
    this.mask = mask;
  }

  /// The request for a call that needs permission.
  ///
  /// @param canonical its input, as canonical JSON
  /// @param input the same for people, with secrets masked
  DecisionRequest permission(String kind, AgentToolCall call, String canonical, String input) {
    String title = tool(call) + " " + input;
    return request(kind, call, fingerprint(kind, call, canonical), title, input, null);
  }

  /// The request for answers to a call that asks questions.
  DecisionRequest answers(
      AgentToolCall call, String canonical, String input, List<Question> questions) {
    String title = questions.getFirst().text();
    String fingerprint = fingerprint("question", call, canonical);
    return request("other", call, fingerprint, title, input, questions);
  }

  /// The request for a connection.
  ///
  /// @param name in lower case
  DecisionRequest host(String name, int port) {
    ObjectNode input = Json.MAPPER.createObjectNode().put("host", name).put("port", port);
    AgentToolCall call = new AgentToolCall("", CONNECT, input);
    String fingerprint = fingerprint(PermissionRules.HOST, call, call.canonicalInput());
    String title = CONNECT + " " + mask.text(HostRule.text(name, port));
    return request(
        PermissionRules.HOST, call, fingerprint, title, mask.json(input).toString(), null);
  }

  private DecisionRequest request(
      String kind,
      AgentToolCall call,
      String fingerprint,
      String title,
      String input,
      @Nullable List<Question> questions) {
    String name = name(call.id(), fingerprint);
    return new DecisionRequest(
        name,
        tool(call),
        kind,
        title(title),
        input,
        fingerprint,
        questions,
        isParkable(kind, call) ? true : null);
  }

  /// Whether the turn can be parked: not for a connection, which would be gone.
  private boolean isParkable(String kind, AgentToolCall call) {
    ToolGateEntry gate = claim.agent().gate();
    return gate != null && !kind.equals(PermissionRules.HOST) && gate.parks(call);
  }

  private String tool(AgentToolCall call) {
    return Utf8.clip(mask.text(call.name()), NAME);
  }

  /// Names a call by its id, or by what is asked, and by how often that was asked: an agent that
  /// uses an id again gets no second call allowed by it. A runner that goes on with a parked turn
  /// does not know how often its earlier ones have asked, so its names are others.
  private synchronized String name(String id, String fingerprint) {
    String base = id.isEmpty() || id.length() > ID ? fingerprint : id;
    int often = asked.merge(base, 1, Integer::sum);
    return claim.parked().isPresent()
        ? "%s#%d.%d".formatted(base, claim.turn().fence(), often)
        : base + "#" + often;
  }

  private static String title(String text) {
    return Utf8.exceeds(text, TITLE) ? Utf8.clip(text, TITLE) + "…" : text;
  }

  private static String fingerprint(String about, AgentToolCall call, String canonical) {
    return sha256(about + "\n" + call.name() + "\n" + canonical);
  }

  private static String sha256(String text) {
    try {
      return Digest.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
