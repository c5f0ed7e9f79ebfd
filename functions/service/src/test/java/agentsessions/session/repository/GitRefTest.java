package agentsessions.session.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitRefTest {
  private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "main",
        "HEAD",
        "feature/a",
        "v1.0",
        "a-b_c",
        "ä",
        "a@b",
        "lock",
        "a.lockx",
        COMMIT,
        "refs/heads/x"
      })
  void whatGitTakesIsTaken(String name) {
    assertEquals(Optional.empty(), GitRef.fault(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-x",
        "--upload-pack=x",
        "/a",
        "a/",
        "a//b",
        "a..b",
        "a.",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a b",
        "a\tb",
        "a\u007fb",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "a@{1}",
        "@",
        "a\nb"
      })
  void whatGitRefusesIsRefused(String name) {
    assertTrue(GitRef.fault(name).isPresent());
  }

  @Test
  void aNameHas255CharactersAtMost() {
    assertEquals(Optional.empty(), GitRef.fault("\uD83D\uDE80".repeat(255)));
    assertTrue(GitRef.fault("a".repeat(256)).isPresent());
  }

  @Test
  void aBranchIsNotTakenForAnythingElse() {
    assertEquals(Optional.empty(), GitRef.faultOfBranch("agent/0a1b2c3d"));
    assertTrue(GitRef.faultOfBranch("HEAD").isPresent());
    assertTrue(GitRef.faultOfBranch("refs/heads/x").isPresent());
    assertTrue(GitRef.faultOfBranch(COMMIT).isPresent());
    assertTrue(GitRef.faultOfBranch("a b").isPresent());
  }

  @Test
  void aCommitHas40Or64Digits() {
    assertTrue(GitRef.isCommit(COMMIT));
    assertTrue(GitRef.isCommit("a".repeat(64)));
    assertFalse(GitRef.isCommit("a".repeat(41)));
    assertFalse(GitRef.isCommit("A".repeat(40)));
  }
}
