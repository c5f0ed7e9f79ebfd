package agentsessions.runner.sandbox;

import static java.util.stream.Collectors.joining;

import agentsessions.runner.network.connection.PortForward;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The start of a {@link Bridge} in a sandbox: as a JVM from the runner's own JDK, since that is
/// surely installed (socat or python may be missing).
final class BridgeSetup {
  /// The port of the sandbox's loopback at which an agent finds its model.
  static final int MODEL = 18080;

  /// The port at which it finds the proxy to hosts that its operator allows.
  static final int HOSTS = 18082;

  /// The port at which its hook finds the gate in front of its tools.
  static final int TOOLS = 18084;

  private static final String JAVA = "/opt/java";
  private static final String CODE = "/opt/bridge";

  private BridgeSetup() {}

  /// Words in front of a command: a shell that waits until the bridge listens and is then replaced
  /// by the command. The bridge is not a child of the command.
  static List<String> words(List<PortForward> portForwards) {
    return portForwards.isEmpty()
        ? List.of()
        : List.of(
            "/usr/bin/bash",
            "-c",
            """
            exec 3< <(%s/bin/java -Xmx24m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \\
              -XX:-UsePerfData -cp %s %s %s </dev/null &)
            read -r _ <&3 || { echo "no way out of the sandbox" >&2; exit 125; }
            exec 3<&-
            exec "$@"
            """
                .formatted(JAVA, CODE, Bridge.class.getName(), pairs(portForwards)),
            "bridge");
  }

  private static String pairs(List<PortForward> portForwards) {
    return portForwards.stream().map(way -> way.port() + " " + socket(way)).collect(joining(" "));
  }

  private static String socket(PortForward portForward) {
    return "/run/way-" + portForward.port();
  }

  /// Arguments of bubblewrap that mount the files and sockets that the bridge needs.
  static List<String> binds(List<PortForward> portForwards) {
    List<String> binds = new ArrayList<>(portForwards.isEmpty() ? List.of() : code());
    portForwards.forEach(
        way -> binds.addAll(List.of("--bind", way.socket().toString(), socket(way))));
    return binds;
  }

  private static List<String> code() {
    Path java = Path.of(System.getProperty("java.home"));
    List<String> binds = new ArrayList<>();
    binds.addAll(List.of("--ro-bind", java.toString(), JAVA));
    // Some distributions keep their JDK's configuration outside of it, behind symbolic links.
    Stream.of("conf", "lib/jvm.cfg")
        .map(name -> real(java.resolve(name)))
        .filter(path -> !path.startsWith(real(java)))
        .forEach(path -> binds.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
    binds.addAll(List.of("--ro-bind", classes().toString(), CODE));
    return binds;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      return path;
    }
  }

  private static Path classes() {
    try {
      return Path.of(Bridge.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
