package agentsessions.runner.sandbox;

import static java.util.Objects.requireNonNull;

import agentsessions.runner.sandbox.process.Spawner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The programs that can be the bridge of a sandbox. An agent waits for it, and it takes part of
/// the turn's memory as long as the agent runs.
///
/// Why: decision 053.
enum BridgeProgram {
  /// A script. Perl is part of every Debian, and comes with git nearly everywhere.
  PERL {
    @Override
    String command() {
      // A locale that is not installed here would be complained of.
      return "LC_ALL=C /usr/bin/perl " + CODE;
    }

    @Override
    Map<String, String> files() {
      return Map.of(CODE, SCRIPT);
    }
  },

  /// The class {@link Bridge} in a JVM from the runner's own JDK, which is surely installed: five
  /// times the processor time and memory.
  JVM {
    @Override
    String command() {
      return "%s/bin/java -Xmx24m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -cp %s %s"
          .formatted(JAVA, CODE, Bridge.class.getName());
    }

    @Override
    List<String> binds() {
      Path java = Path.of(System.getProperty("java.home"));
      List<String> binds = new ArrayList<>();
      binds.addAll(List.of("--ro-bind", java.toString(), JAVA));
      // Some distributions keep their JDK's configuration outside of it, behind symbolic links.
      Stream.of("conf", "lib/jvm.cfg")
          .map(name -> real(java.resolve(name)))
          .filter(path -> !path.startsWith(real(java)))
          .forEach(
              path -> binds.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
      binds.addAll(List.of("--ro-bind", classes().toString(), CODE));
      return binds;
    }
  };

  /// The one that is used on this machine.
  static final BridgeProgram HERE = hasPerl() ? PERL : JVM;

  private static final String JAVA = "/opt/java";
  private static final String CODE = "/opt/bridge";
  private static final String SCRIPT = script();

  /// The beginning of its command line, in the words of a shell.
  abstract String command();

  /// Arguments of bubblewrap that mount what it needs.
  List<String> binds() {
    return List.of();
  }

  /// Files that it needs, by their path in the sandbox.
  Map<String, String> files() {
    return Map.of();
  }

  /// Whether there is one with all that the script uses, where a sandbox sees it.
  private static boolean hasPerl() {
    Path perl = Path.of("/usr/bin/perl");
    if (!real(perl).startsWith("/usr")) {
      return false;
    }
    ProcessBuilder builder =
        new ProcessBuilder(perl.toString(), "-MErrno", "-MFcntl", "-MSocket", "-e0");
    builder.environment().clear(); // a sandbox has none of the runner's variables
    try {
      Process trial = Spawner.start(builder);
      boolean ended = trial.waitFor(5, TimeUnit.SECONDS);
      trial.destroyForcibly();
      return ended && trial.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String script() {
    try (InputStream file = requireNonNull(BridgeProgram.class.getResourceAsStream("bridge.pl"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
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
