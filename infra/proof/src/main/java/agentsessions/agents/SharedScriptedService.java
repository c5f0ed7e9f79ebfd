package agentsessions.agents;

import agentsessions.local.Settings;
import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// The JUnit parameter resolver for the one scripted service of all tests: started for the first
/// test that needs it, closed after the last test of the process. Its model records the requests of
/// all tests, so each test clears the record first.
///
/// Beside the packaged agents its catalogue has the untrusted ones of {@link ProbeTest}, one whose
/// model has no price, and {@link HookedEntries}. Repositories may be on loopback.
final class SharedScriptedService implements ParameterResolver {
  private static final String STRANGERS =
      """
      probe:
        description: Runs the message as a script.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
      brief:
        description: The same, for three seconds at most.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        time_limit_seconds: 3
      echo:
        description: Says what it hears.
        command: [cat]
        reply: {from: stdout}
      unpriced:
        description: Runs the message as a script, whichever model it has.
        models: [none-1, gpt-6-luna]
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
      """;

  /// The running service.
  ///
  /// @param folder for the service's data, deleted at the end
  private record Running(Path folder, ScriptedService scripted) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      scripted.close();
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == ScriptedService.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return test.getRoot()
        .getStore(Namespace.create(SharedScriptedService.class))
        .getOrComputeIfAbsent(Running.class, _ -> start(), Running.class)
        .scripted();
  }

  private static Running start() {
    try {
      Path folder = Files.createTempDirectory("agents");
      Path packaged = Installation.find().root().resolve("infra/agents.yaml");
      Path catalogue =
          Files.write(
              folder.resolve("agents.yaml"),
              List.of(
                  Files.readString(packaged),
                  STRANGERS,
                  HookedEntries.of(Files.readString(packaged))));
      Map<String, Object> settings =
          Map.of(Settings.AGENTS_FILE, catalogue.toString(), Settings.ALLOW_PRIVATE, true);
      return new Running(folder, ScriptedService.start(folder.resolve("data"), settings));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
