package agentsessions.session.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VariableNameTest {
  private static final Set<String> TAKEN = Set.of("ANTHROPIC_API_KEY");

  @ParameterizedTest
  @ValueSource(
      strings = {"A", "_", "a1", "PATHS", "MY_PATH", "HOMEPAGE", "proxy", "GITHUB_TOKEN", "LANG"})
  void aNameOfOnesOwnIsTaken(String name) {
    assertEquals(Optional.empty(), VariableName.fault(name, TAKEN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1A",
        "A-B",
        "A B",
        "A=B",
        "\u00c4",
        "A\n",
        "AGENT_X",
        "PATH",
        "HOME",
        "USER",
        "LD_PRELOAD",
        "HTTPS_PROXY",
        "http_proxy",
        "GIT_SSH_COMMAND",
        "BASH_ENV",
        "UID",
        "SHELLOPTS",
        "ANTHROPIC_API_KEY",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  void whatIsNoneOrReservedIsRefused(String name) {
    assertTrue(VariableName.fault(name, TAKEN).isPresent());
  }
}
