package agentsessions.runner.sandbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The signals that a process ignores, as the kernel lists them.
class DefaultSignalsTest {
  @ParameterizedTest
  @CsvSource({
    "0000000000000000, true",
    "0000000080000000, true",
    "0000000180000000, true",
    "0000000000000002, false",
    "0000000080001000, false",
    "ffffffffffffffff, false",
  })
  void signalsAreDefaultWhereNoneIsIgnored(String ignored, boolean are) {
    Stream<String> status = Stream.of("SigBlk:\t0000000000000002", "SigIgn:\t" + ignored);
    assertEquals(are, DefaultSignals.areDefault(status));
  }

  @Test
  void signalsThatAreNotListedMayBeIgnored() {
    assertFalse(DefaultSignals.areDefault(Stream.of("Name:\tcat")));
  }
}
