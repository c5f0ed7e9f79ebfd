package agentsessions.chaos.rig;

import agentsessions.talk.ApiResponse;
import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.ValidationReport;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/// The contract test of the runner protocol: holds each request and answer of a stub runner against
/// `infra/runner.yaml`, and records the operations that were answered with 200.
final class RunnerContract {
  private static final String BASE = "/runner/v1";
  private static final String TEXT = text();
  private static final OpenApiInteractionValidator VALIDATOR =
      OpenApiInteractionValidator.createForInlineApiSpecification(TEXT)
          .withBasePathOverride(BASE)
          .build();
  private static final SortedSet<String> SEEN = new ConcurrentSkipListSet<>();

  private RunnerContract() {}

  /// The answer, if request and answer follow the contract.
  ///
  /// @param path below the protocol's base
  /// @param body as it was sent; empty if there was none
  static ApiResponse held(Request.Method method, String path, String body, ApiResponse answer) {
    List<String> faults =
        Stream.of(
                VALIDATOR.validateRequest(request(method, path, body)),
                VALIDATOR.validateResponse(BASE + path, method, response(answer)))
            .flatMap(report -> report.getMessages().stream())
            .filter(message -> message.getLevel() == ValidationReport.Level.ERROR)
            .map(ValidationReport.Message::getMessage)
            .toList();
    if (!faults.isEmpty()) {
      throw new AssertionError(
          "Not as infra/runner.yaml says: %s %s: %s: %s"
              .formatted(method, path, faults, answer.body()));
    }
    if (answer.status() == 200) {
      SEEN.add(path.replaceFirst("(?<=/requests/)[^/]+", "{id}"));
    }
    return answer;
  }

  /// Clears the record, so that operations of earlier tests do not count.
  static void forget() {
    SEEN.clear();
  }

  /// The paths that were answered with 200 since the record was cleared.
  static SortedSet<String> seen() {
    return SEEN;
  }

  /// The paths of the contract.
  static SortedSet<String> documented() {
    OpenAPI contract = new OpenAPIV3Parser().readContents(TEXT).getOpenAPI();
    return new TreeSet<>(contract.getPaths().keySet());
  }

  private static SimpleRequest request(Request.Method method, String path, String body) {
    SimpleRequest.Builder request =
        new SimpleRequest.Builder(method, BASE + path).withHeader("Authorization", "Bearer x");
    if (!body.isEmpty()) {
      request.withContentType("application/json").withBody(body);
    }
    return request.build();
  }

  private static SimpleResponse response(ApiResponse answer) {
    SimpleResponse.Builder response =
        SimpleResponse.Builder.status(answer.status()).withBody(answer.body());
    answer.headers().map().forEach(response::withHeader);
    return response.build();
  }

  private static String text() {
    Path home = Path.of(System.getProperty("agentsessions.home", "../.."));
    try {
      return Files.readString(home.resolve("infra/runner.yaml"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
