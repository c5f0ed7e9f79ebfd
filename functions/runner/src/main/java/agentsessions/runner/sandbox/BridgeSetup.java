package agentsessions.runner.sandbox;

import static java.util.stream.Collectors.joining;

import agentsessions.runner.network.connection.PortForward;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The start of a bridge in a sandbox: the program that forwards from ports of its loopback to
/// sockets of the runner's proxies.
final class BridgeSetup {
  /// The port of the sandbox's loopback at which an agent finds its model.
  static final int MODEL = 18080;

  /// The port at which it finds the proxy to hosts that its operator allows.
  static final int HOSTS = 18082;

  /// The port at which its hook finds the gate in front of its tools.
  static final int TOOLS = 18084;

  private final BridgeProgram program;
  private final List<PortForward> portForwards;

  BridgeSetup(BridgeProgram program, List<PortForward> portForwards) {
    this.program = program;
    this.portForwards = portForwards;
  }

  /// Words in front of a command: a shell that waits until the bridge listens and is then replaced
  /// by the command. The bridge is not a child of the command.
  List<String> words() {
    return portForwards.isEmpty()
        ? List.of()
        : List.of(
            "/usr/bin/bash",
            "-c",
            """
            exec 3< <(%s %s </dev/null &)
            read -r _ <&3 || { echo "no way out of the sandbox" >&2; exit 125; }
            exec 3<&-
            exec "$@"
            """
                .formatted(program.command(), pairs()),
            "bridge");
  }

  private String pairs() {
    return portForwards.stream().map(way -> way.port() + " " + socket(way)).collect(joining(" "));
  }

  private static String socket(PortForward portForward) {
    return "/run/way-" + portForward.port();
  }

  /// Arguments of bubblewrap that mount the program and the sockets.
  List<String> binds() {
    List<String> binds = new ArrayList<>(portForwards.isEmpty() ? List.of() : program.binds());
    portForwards.forEach(
        way -> binds.addAll(List.of("--bind", way.socket().toString(), socket(way))));
    return binds;
  }

  /// Files that the program needs, by their path in the sandbox.
  Map<String, String> files() {
    return portForwards.isEmpty() ? Map.of() : program.files();
  }
}
