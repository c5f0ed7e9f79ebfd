package agentsessions.runner;

import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.ValidationReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The runner protocol's contract, `infra/runner.yaml`, checked against the requests of the runner
/// and the responses of a stand-in for the service.
final class Protocol {
  private static final String JSON = "application/json";
  private static final OpenApiInteractionValidator VALIDATOR =
      OpenApiInteractionValidator.createForInlineApiSpecification(text())
          .withBasePathOverride("/runner/v1")
          .build();

  private Protocol() {}

  /// One exchange; `address` is path and query, `body` is empty where none was sent.
  record Exchange(
      String method, String address, String bearer, String body, int status, String answer) {

    /// The violations of the contract, in words; empty if there are none.
    List<String> faults() {
      return Stream.of(
              VALIDATOR.validateRequest(request()),
              VALIDATOR.validateResponse(path(), Request.Method.valueOf(method), response()))
          .flatMap(report -> report.getMessages().stream())
          .filter(message -> message.getLevel() == ValidationReport.Level.ERROR)
          .map(message -> method + " " + address + ": " + message.getMessage())
          .toList();
    }

    private String path() {
      return URI.create(address).getPath();
    }

    private SimpleRequest request() {
      SimpleRequest.Builder request =
          new SimpleRequest.Builder(method, path()).withHeader("Authorization", bearer);
      String query = URI.create(address).getQuery();
      if (query != null) {
        String[] parameter = query.split("=", 2);
        request.withQueryParam(parameter[0], parameter[1]);
      }
      if (!body.isEmpty()) {
        request.withContentType(JSON).withBody(body);
      }
      return request.build();
    }

    private SimpleResponse response() {
      return SimpleResponse.Builder.status(status).withContentType(JSON).withBody(answer).build();
    }
  }

  private static String text() {
    try {
      return Files.readString(Path.of("../../infra/runner.yaml"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
