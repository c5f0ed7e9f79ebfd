package agentsessions.chaos.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.RawHttp;
import agentsessions.chaos.rig.RawHttp.Answer;
import agentsessions.chaos.rig.RawHttp.Request;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.SharedRig;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// The fuzz property: no request is answered with 5xx, every refusal has the one shape of errors,
/// and another workspace's session stays unchanged.
abstract class Fuzz {
  private static final Set<String> ERROR = Set.of("code", "message", "request_id");
  private static final TreeMap<Integer, Integer> answers = new TreeMap<>();

  private static OddRequests inputs;
  private static RawHttp clients;
  private static RawHttp runners;
  private static FuzzFixture victims;

  @BeforeContainer
  static void open() throws Exception {
    Path home = Path.of(System.getProperty("agentsessions.home", "../.."));
    inputs = new OddRequests(home.resolve("infra/openapi.yaml"));
    Rig rig = SharedRig.STILL.rig();
    clients = new RawHttp(rig.service().baseUrl());
    runners = new RawHttp(rig.service().runnerUrl());
    victims = new FuzzFixture(rig);
  }

  @AfterContainer
  static void close() throws Exception {
    System.out.println("answers: " + answers);
    victims.areUntouched();
  }

  @Provide
  Arbitrary<Request> requests() {
    return inputs.requests();
  }

  /// Sends the request and checks the answer.
  static void isAnsweredInShape(Request request) throws Exception {
    Request sent = victims.named(request);
    Answer answer = (sent.target().startsWith("/runner/") ? runners : clients).send(sent);
    answers.merge(answer.status(), 1, Integer::sum);
    victims.answered(answer);
    assertTrue(answer.status() >= 200 && answer.status() < 500, answer::toString);
    assertTrue(answer.headers().containsKey("x-request-id"), answer::toString);
    if (answer.status() >= 400 && !sent.method().equals("HEAD")) {
      isAnError(answer);
    }
    assertFalse(answer.body().contains(victims.key()), answer::toString);
  }

  private static void isAnError(Answer answer) throws IOException {
    assertEquals("application/json", answer.headers().get("content-type"), answer::toString);
    JsonNode error = answer.json();
    Set<String> fields =
        error.properties().stream().map(field -> field.getKey()).collect(Collectors.toSet());
    assertEquals(error.path("code").asText().equals("VALIDATION"), fields.remove("details"));
    assertEquals(ERROR, fields, answer::toString);
    assertEquals(answer.headers().get("x-request-id"), error.path("request_id").asText());
  }
}
