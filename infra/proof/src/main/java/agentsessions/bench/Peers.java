package agentsessions.bench;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The servers with which speed is compared, as far as they are here.
record Peers(Optional<OpencodeServer> opencode, Optional<OpenhandsServer> openhands) {
  /// Their versions, for the reader of the figures.
  String told() {
    return opencode
            .map(peer -> "Beside opencode " + peer.version())
            .orElse("No opencode here: scripts/tools installs it")
        + openhands
            .map(peer -> ", beside OpenHands' agent server " + peer.version())
            .orElse(", no agent server of OpenHands here");
  }

  /// A figure of each, for `SpeedReport`; empty where it was not measured.
  static String beside(String opencode, String openhands) {
    return Stream.of("opencode " + opencode, "OpenHands " + openhands)
        .filter(one -> !one.endsWith(" "))
        .collect(Collectors.joining("; "));
  }
}
