package agentsessions.session.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PushedCommitsTest {
  private static final PushedCommits NONE = PushedCommits.read("");

  @Test
  void theyAreReadAsTheyWereWrittenTheNewestFirst() {
    PushedCommits two = NONE.with(1, "a").with(2, "b").with(1, "c");
    assertEquals(two, PushedCommits.read(two.lines()));
    assertEquals(List.of("c", "a"), two.of(1));
    assertEquals(List.of("b"), two.of(2));
  }

  @Test
  void aCommitIsItsRepositorysOnly() {
    assertTrue(NONE.with(1, "a").has(1, "a"));
    assertFalse(NONE.with(1, "a").has(2, "a"));
    assertFalse(NONE.has(1, "a"));
  }

  @Test
  void theOldestAreForgotten() {
    PushedCommits many = NONE;
    for (int i = 0; i <= PushedCommits.MOST; i++) {
      many = many.with(1, "c" + i);
    }
    assertEquals(PushedCommits.MOST, many.entries().size());
    assertFalse(many.has(1, "c0"));
    assertTrue(many.has(1, "c1"));
  }
}
