package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The examples of the SDKs, as their readers run them. Each waits two minutes at most for a turn.
@Section(number = "api", title = "The examples of the SDKs")
final class SdkExamplesTest {
  /// What each example prints, in either language.
  private static final Map<String, String> PRINTED =
      Map.of(
          "reply", "Hello from /.+",
          "follow_up", "[Tt]rue\ninterrupted\n# Plan B",
          "events", "message.created mkdir .+\nartifact.created table.csv\n.+\nthread.completed",
          "together", "\\[ ?'0', '1', '2' ?\\]\nagent_name");

  @TempDir Path folder;
  private final Client client = Target.client();

  @Tag("stack")
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("examples")
  void printsWhatItsReadersAreTold(SdkLanguage language, String example, String printed)
      throws IOException, InterruptedException {
    assertPrints(printed, language.builder(example, List.of()), "");
  }

  @Tag("stack")
  @ParameterizedTest
  @EnumSource
  void aPullRequestIsMadeOfWhatSomebodyHasSeen(SdkLanguage language)
      throws IOException, InterruptedException {
    assertMakesPullRequest(
        "diff --git .+\n\\+World\nMake a .+/team/app/pulls/1", language, "pull_request");
  }

  @Tag("stack")
  @ParameterizedTest
  @EnumSource
  void aPushThatWaitsIsDoneBeforeItIsNoMoreWaitedFor(SdkLanguage language)
      throws IOException, InterruptedException {
    assumeTrue(Target.asks(client), "nothing judges the shell agent here");
    assertMakesPullRequest("Push .+\nAllow it.+/team/app/pulls/1", language, "push");
  }

  private void assertMakesPullRequest(String printed, SdkLanguage language, String example)
      throws IOException, InterruptedException {
    String seed = "echo Hello >README.md; git add .; git commit -qm first";
    try (TestGitHost remote = TestGitHost.with(folder, seed)) {
      ProcessBuilder builder = language.builder(example, List.of(remote.url()));
      builder
          .environment()
          .putAll(
              Map.of(
                  "GIT_USER", GitHost.USER,
                  "GIT_TOKEN", GitHost.PASSWORD,
                  "GIT_PROVIDER", "gitea"));
      assertPrints(printed, builder, "y\n");
      assertEquals("Greet the world", remote.pullRequests().get(0).path("title").asText());
      assertEquals(1, remote.pullRequests().size(), remote.pullRequests()::toString);
    }
  }

  static Stream<Arguments> examples() {
    return Stream.of(SdkLanguage.values())
        .flatMap(language ->
            PRINTED.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> Arguments.of(language, each.getKey(), each.getValue())));
  }

  private void assertPrints(String printed, ProcessBuilder builder, String typed)
      throws IOException, InterruptedException {
    builder
        .environment()
        .putAll(Map.of("AGENT_SESSIONS_URL", client.base(), "AGENT_SESSIONS_KEY", client.key()));
    Process process = builder.start();
    process.outputWriter(StandardCharsets.UTF_8).append(typed).close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.matches("(?s)" + printed), output);
  }
}
