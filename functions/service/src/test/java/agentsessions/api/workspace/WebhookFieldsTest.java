package agentsessions.api.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.api.request.RequestBody;
import agentsessions.turn.catalogue.OperatorPolicy;
import io.micronaut.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The URL of a webhook: what is refused, and whether the refusal names what would allow it.
class WebhookFieldsTest {
  private static final String OPTION = ", unless the service is started with --allow-private";
  private static final String PLAIN = "must be an https URL, without user name and fragment";
  private static final String PRIVATE =
      "must not lead to a private, loopback or link-local address";

  @Test
  void whatTheOptionWouldAllowNamesItOnOneMachine() {
    OperatorPolicy machine = policy(false, "8080");
    assertEquals(List.of(PLAIN + OPTION), faults("http://127.0.0.1:9000/", machine));
    assertEquals(List.of(PRIVATE + OPTION), faults("https://127.0.0.1:9000/", machine));
    assertEquals(List.of(PLAIN), faults("https://me@127.0.0.1:9000/", machine));
  }

  @Test
  void elsewhereThereIsNoSuchOption() {
    OperatorPolicy stack = policy(false, "");
    assertEquals(List.of(PLAIN), faults("http://127.0.0.1:9000/", stack));
    assertEquals(List.of(PRIVATE), faults("https://127.0.0.1:9000/", stack));
  }

  @Test
  void theServiceItselfIsRefusedWhateverIsAllowed() {
    OperatorPolicy open = policy(true, "8080");
    assertEquals(List.of(), faults("http://127.0.0.1:9000/", open));
    assertEquals(List.of(PRIVATE), faults("http://127.0.0.1:8080/", open));
  }

  private static List<String> faults(String url, OperatorPolicy allowed) {
    String text = "{\"url\": \"" + url + "\"}";
    RequestBody body =
        RequestBody.read(JsonMapper.createDefault(), text.getBytes(StandardCharsets.UTF_8));
    String _ = new WebhookFields(allowed).url(body);
    return body.faults().stream().map(fault -> fault.message()).toList();
  }

  private static OperatorPolicy policy(boolean allowPrivate, String ownPorts) {
    return new OperatorPolicy(allowPrivate, ownPorts, false, "", false, List.of());
  }
}
