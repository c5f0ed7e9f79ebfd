package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.testing.GitHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of the Python SDK, as their readers run them. Each waits two minutes at most for a
/// turn.
@Section(number = "api", title = "The examples of the SDKs")
final class SdkExamplesTest {
  private static final Path SDK = Path.of("../clients/python").toAbsolutePath();

  @TempDir Path folder;
  private final Client client = Target.client();

  @Tag("stack")
  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void printsWhatItsReadersAreTold(String example, String printed)
      throws IOException, InterruptedException {
    assertPrints(printed, builder(example), "");
  }

  @Tag("stack")
  @Test
  void aPullRequestIsMadeOfWhatSomebodyHasSeen() throws IOException, InterruptedException {
    String seed = "echo Hello >README.md; git add .; git commit -qm first";
    try (TestGitHost remote = TestGitHost.with(folder, seed)) {
      ProcessBuilder builder = builder("pull_request", remote.url());
      builder
          .environment()
          .putAll(
              Map.of(
                  "GIT_USER", GitHost.USER,
                  "GIT_TOKEN", GitHost.PASSWORD,
                  "GIT_PROVIDER", "gitea"));
      assertPrints("diff --git .+\n\\+World\nMake a .+/team/app/pulls/1", builder, "y\n");
      assertEquals("Greet the world", remote.pullRequests().get(0).path("title").asText());
      assertEquals(1, remote.pullRequests().size(), remote.pullRequests()::toString);
    }
  }

  static Stream<Arguments> examples() {
    return Stream.of(
        arguments("reply", "Hello from /.+"),
        arguments("follow_up", "True\ninterrupted\n# Plan B"),
        arguments(
            "events", "message.created mkdir .+\nartifact.created table.csv\n.+\nthread.completed"),
        arguments("together", "\\['0', '1', '2'\\]\nagent_name"));
  }

  private ProcessBuilder builder(String example, String... arguments) {
    List<String> command =
        Stream.concat(
                Stream.of("python3", SDK.resolve("examples/%s.py".formatted(example)).toString()),
                Stream.of(arguments))
            .toList();
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "AGENT_SESSIONS_URL", client.base(),
                "AGENT_SESSIONS_KEY", client.key(),
                "PYTHONDONTWRITEBYTECODE", "1",
                "PYTHONPATH", SDK.toString()));
    return builder;
  }

  private static void assertPrints(String printed, ProcessBuilder builder, String typed)
      throws IOException, InterruptedException {
    Process process = builder.start();
    process.outputWriter(StandardCharsets.UTF_8).append(typed).close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.matches("(?s)" + printed), output);
  }
}
