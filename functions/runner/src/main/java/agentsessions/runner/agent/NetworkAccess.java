package agentsessions.runner.agent;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The network access of an agent beside its own loopback interface, as its catalogue entry grants
/// it.
///
/// @param unrestricted the machine's whole network; the other fields then mean nothing
/// @param model the model of its entry, through a proxy
/// @param hosts further hosts, through a proxy
public record NetworkAccess(boolean unrestricted, boolean model, List<HostRule> hosts) {
  public static final NetworkAccess NONE = new NetworkAccess(false, false, List.of());

  /// The machine's whole network.
  public static final NetworkAccess UNRESTRICTED = new NetworkAccess(true, false, List.of());

  /// Reads the catalogue's `none`, `model`, `host`, or `{model, hosts}`.
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static NetworkAccess of(JsonNode said) {
    return switch (said.asText()) {
      case "none" -> NONE;
      case "model" -> new NetworkAccess(false, true, List.of());
      case "host" -> UNRESTRICTED;
      default ->
          new NetworkAccess(false, said.path("model").asBoolean(), rules(said.path("hosts")));
    };
  }

  /// The same with the hosts that the operator allows every agent.
  public NetworkAccess and(List<HostRule> more) {
    return new NetworkAccess(
        unrestricted, model, Stream.concat(hosts.stream(), more.stream()).toList());
  }

  /// The same without the model.
  public NetworkAccess hostsOnly() {
    return new NetworkAccess(unrestricted, false, hosts);
  }

  private static List<HostRule> rules(JsonNode hosts) {
    return StreamSupport.stream(hosts.spliterator(), false)
        .map(JsonNode::asText)
        .map(HostRule::of)
        .toList();
  }
}
