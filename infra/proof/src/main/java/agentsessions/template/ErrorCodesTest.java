package agentsessions.template;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.rule.TurnErrorCode;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Why a turn has no reply is said in the words of the contract, by whoever says it.
class ErrorCodesTest {
  @Test
  void contractHasEachWordAndNoOther() {
    assertEquals(
        Stream.of(TurnErrorCode.values()).map(Enum::name).collect(toSet()),
        StackTemplate.read("infra/openapi.yaml")
            .at("/components/schemas/TurnError/properties/code/enum")
            .valueStream()
            .map(JsonNode::asText)
            .collect(toSet()));
  }
}
