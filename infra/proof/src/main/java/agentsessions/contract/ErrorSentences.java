package agentsessions.contract;

import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The check of error sentences: an operation uses only the sentences of the contract's examples,
/// apart from the ids and instants in them. The sentence of `VALIDATION` is made of its details.
final class ErrorSentences {
  private static final Set<String> EXAMPLES = examples();

  private ErrorSentences() {}

  /// The fault of an error's sentence; empty if there is none, or the answer is no error.
  static String fault(ApiResponse answer) {
    JsonNode body = answer.json();
    if (answer.status() < 400 || said(body).equals(details(body)) || isExample(body)) {
      return "";
    }
    return "no example says so: " + body;
  }

  private static boolean isExample(JsonNode body) {
    return !body.has("details") && EXAMPLES.contains(sentence(body));
  }

  private static String said(JsonNode error) {
    return error.path("message").asText();
  }

  private static String details(JsonNode error) {
    List<String> details = new ArrayList<>();
    error
        .path("details")
        .forEach(detail ->
            details.add(detail.path("field").asText() + " " + detail.path("message").asText()));
    return String.join("; ", details);
  }

  private static String sentence(JsonNode error) {
    String code = error.path("code").asText();
    String said =
        said(error)
            .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
            .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "INSTANT");
    // The sentence contains the amount that was used.
    boolean hasAmounts = code.equals("BUDGET_REACHED");
    return code + " " + (hasAmounts ? said.replaceAll("[0-9][0-9,.]*", "N") : said);
  }

  private static Set<String> examples() {
    try {
      JsonNode contract = new ObjectMapper(new YAMLFactory()).readTree(Contract.text());
      Set<String> examples = new TreeSet<>();
      contract.findValues("value").stream()
          .filter(value -> value.has("request_id"))
          .forEach(value -> examples.add(sentence(value)));
      return examples;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
