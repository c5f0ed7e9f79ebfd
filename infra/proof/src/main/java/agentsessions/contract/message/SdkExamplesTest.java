package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of the Python SDK, as their readers run them. Each waits two minutes at most for a
/// turn.
@Section(number = "api", title = "The examples of the SDKs")
final class SdkExamplesTest {
  private static final Path SDK = Path.of("../clients/python").toAbsolutePath();

  private final Client client = Target.client();

  @Tag("stack")
  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void printsWhatItsReadersAreTold(String example, String printed)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("python3", SDK.resolve("examples/%s.py".formatted(example)).toString())
            .redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "AGENT_SESSIONS_URL", client.base(),
                "AGENT_SESSIONS_KEY", client.key(),
                "PYTHONDONTWRITEBYTECODE", "1",
                "PYTHONPATH", SDK.toString()));
    Process process = builder.start();
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.matches("(?s)" + printed), output);
  }

  static Stream<Arguments> examples() {
    return Stream.of(
        arguments("reply", "Hello from /.+"),
        arguments("follow_up", "True\ninterrupted\n# Plan B"),
        arguments(
            "events", "message.created mkdir .+\nartifact.created table.csv\n.+\nthread.completed"),
        arguments("together", "\\['0', '1', '2'\\]\nagent_name"));
  }
}
