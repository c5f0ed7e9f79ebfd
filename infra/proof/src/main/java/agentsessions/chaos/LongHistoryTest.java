package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// No page leaves a message out, shows one twice or turns two round. (10,000 of them: scripts/bench
/// history.)
@Tag("chaos")
class LongHistoryTest {
  private static final int MESSAGES = 400;

  @TempDir static Path temp;
  private static Rig rig;

  @BeforeAll
  static void open() {
    rig = Rig.still(temp);
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  @Test
  void everyCombinationOfFiltersReadsAllOfItInOrder() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).readBack(MESSAGES).failures());
  }

  @Test
  void whoeverFollowsNewMessagesMissesAndRepeatsNothing() throws Exception {
    assertEquals(List.of(), new LongHistory(rig).follow(MESSAGES).failures());
  }
}
