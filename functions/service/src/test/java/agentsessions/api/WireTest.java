package agentsessions.api;

import agentsessions.SerdeableRoundTrip;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
  static Stream<Class<?>> records() {
    return SerdeableRoundTrip.recordsOf("agentsessions.api");
  }

  @ParameterizedTest
  @MethodSource("records")
  void isWrittenInSnakeCaseAndReadAgain(Class<?> type) throws Exception {
    SerdeableRoundTrip.whole(type);
  }

  @ParameterizedTest
  @MethodSource("records")
  void writesWhatIsAbsentAsNullOrNotAtAll(Class<?> type) throws Exception {
    SerdeableRoundTrip.sparse(type);
  }
}
