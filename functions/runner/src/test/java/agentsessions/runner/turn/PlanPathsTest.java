package agentsessions.runner.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanPathsTest {
  private static final PlanPaths PATHS =
      new PlanPaths(
          List.of(Path.of("/workspace"), Path.of("/workspace/repo")),
          Path.of("/home/agent"),
          List.of("PLAN.md", "plans/**/*.md", "~/.claude/plans/*.md"));

  @ParameterizedTest
  @CsvSource({
    "/workspace/PLAN.md, true",
    "PLAN.md, true",
    "/workspace/repo/plans/a/b.md, true",
    "/home/agent/.claude/plans/a.md, true",
    "/workspace/plans/../src/a.md, false",
    "/workspace/other/PLAN.md, false",
    "/home/agent/PLAN.md, false",
    "/etc/PLAN.md, false",
    "'', false"
  })
  void onlyFilesThatAreCapturedAsPlansAre(String path, boolean isPlan) {
    assertEquals(isPlan, PATHS.test(path));
  }
}
