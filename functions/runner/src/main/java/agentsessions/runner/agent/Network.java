package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What an agent can reach beside loopback of its own.
///
/// @param machine all that the machine reaches; the rest then says nothing
/// @param model its entry's model
/// @param hosts others, through a proxy
public record Network(boolean machine, boolean model, List<HostRule> hosts) {
  public static final Network NONE = new Network(false, false, List.of());

  /// All that the machine reaches.
  public static final Network MACHINE = new Network(true, false, List.of());

  /// As the catalogue has it: `none`, `model`, `host`, or `{model, hosts}`.
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Network of(JsonNode said) {
    return switch (said.asText()) {
      case "none" -> NONE;
      case "model" -> new Network(false, true, List.of());
      case "host" -> MACHINE;
      default -> new Network(false, said.path("model").asBoolean(), rules(said.path("hosts")));
    };
  }

  /// With what the operator allows every agent.
  public Network and(List<HostRule> more) {
    return new Network(machine, model, Stream.concat(hosts.stream(), more.stream()).toList());
  }

  /// Without the model.
  public Network hostsOnly() {
    return new Network(machine, false, hosts);
  }

  private static List<HostRule> rules(JsonNode hosts) {
    return StreamSupport.stream(hosts.spliterator(), false)
        .map(JsonNode::asText)
        .map(HostRule::of)
        .toList();
  }
}
