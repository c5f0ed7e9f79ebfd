package agentsessions.protocol;

import agentsessions.SerdeableRoundTrip;
import agentsessions.rule.Ceiling;
import agentsessions.rule.ModelPrice;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireJsonTest {
  static Stream<Class<?>> records() {
    return Stream.concat(
        SerdeableRoundTrip.recordsOf("agentsessions.wire"),
        Stream.of(Ceiling.class, ModelPrice.class));
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
