package agentsessions.contract;

import agentsessions.talk.ApiResponse;
import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.interaction.ApiOperationResolver;
import com.atlassian.oai.validator.model.ApiOperation;
import com.atlassian.oai.validator.model.ApiOperationMatch;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleRequest;
import com.atlassian.oai.validator.model.SimpleResponse;
import com.atlassian.oai.validator.report.LevelResolver;
import com.atlassian.oai.validator.report.ValidationReport;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The contract check: holds each exchange of the suite against `infra/openapi.yaml`.
///
/// - A request that the contract does not allow is answered with 4xx, and one that is answered
///   otherwise is allowed.
/// - An answer has a status that the operation documents, with that answer's headers, content type
///   and body, and no field that is not in the contract.
/// - A request to no operation is answered with 401, 404 or 405.
///
/// It records the statuses of exchanges that took place.
public final class Contract {
  private static final String BASE = "/rest/v1";
  private static final Set<Integer> NO_OPERATION = Set.of(401, 404, 405, 429);
  private static final String TEXT = read();
  private static final OpenAPI API = new OpenAPIV3Parser().readContents(TEXT).getOpenAPI();
  private static final ApiOperationResolver OPERATIONS = new ApiOperationResolver(API, BASE, true);
  private static final OpenApiInteractionValidator VALIDATOR =
      OpenApiInteractionValidator.createForInlineApiSpecification(TEXT)
          .withBasePathOverride(BASE)
          .withLevelResolver(
              LevelResolver.create()
                  // The service ignores unknown parameters and Accept, as the contract says.
                  .withLevel("validation.request.accept.invalid", ValidationReport.Level.IGNORE)
                  .withLevel("validation.request.accept.notAllowed", ValidationReport.Level.IGNORE)
                  .withLevel(
                      "validation.request.parameter.query.unexpected",
                      ValidationReport.Level.IGNORE)
                  .build())
          .build();
  private static final SortedMap<String, SortedSet<String>> answered =
      new ConcurrentSkipListMap<>();

  private Contract() {}

  /// Checks an exchange that took place, and records it; fails if it breaks the contract.
  ///
  /// @param base URL that the contract's paths are relative to
  static void saw(String base, HttpRequest request, @Nullable String body, ApiResponse answer) {
    check(base, request, body, answer)
        .ifPresent(operation ->
            answered
                .computeIfAbsent(
                    operation.getOperation().getOperationId(), _ -> new ConcurrentSkipListSet<>())
                .add(String.valueOf(answer.status())));
  }

  /// Checks an exchange; its operation, if the request is one of the contract.
  static Optional<ApiOperation> check(
      String base, HttpRequest request, @Nullable String body, ApiResponse answer) {
    URI url = request.uri();
    if (!url.toString().startsWith(base + "/")) {
      throw new AssertionError("Not under " + base + ": " + url);
    }
    String path = BASE + url.getRawPath().substring(URI.create(base).getRawPath().length());
    Request.Method method = Request.Method.valueOf(request.method());
    ApiOperationMatch match = OPERATIONS.findApiOperation(path, method);
    if (match.isPathFound() && match.isOperationAllowed()) {
      checkRequest(request(path, method, request, body), answer);
      checkAnswer(path, method, answer);
      return Optional.of(match.getApiOperation());
    }
    if (!NO_OPERATION.contains(answer.status())) {
      throw new AssertionError("Not in the contract: " + method + " " + path + ": " + answer);
    }
    return Optional.empty();
  }

  /// The statuses that were seen, by `operationId`.
  static SortedMap<String, SortedSet<String>> answered() {
    return answered;
  }

  /// The statuses that are documented, by `operationId`, of what every service offers.
  static SortedMap<String, SortedSet<String>> documented() {
    SortedMap<String, SortedSet<String>> documented = new TreeMap<>();
    for (PathItem path : API.getPaths().values()) {
      path.readOperations().stream()
          .filter(operation -> !isOfOneMachine(operation))
          .forEach(operation ->
              documented.put(
                  operation.getOperationId(), new TreeSet<>(operation.getResponses().keySet())));
    }
    return documented;
  }

  private static boolean isOfOneMachine(Operation operation) {
    Map<String, Object> extensions = operation.getExtensions();
    return extensions != null && Boolean.TRUE.equals(extensions.get("x-one-machine"));
  }

  /// The scope that a request needs: `read`, `write`, `admin` or `any`.
  public static String scope(String method, String path) {
    String plain = path.replaceFirst("\\?.*", "");
    Object scope =
        OPERATIONS
            .findApiOperation(BASE + plain, Request.Method.valueOf(method))
            .getApiOperation()
            .getOperation()
            .getExtensions()
            .get("x-scope");
    return String.valueOf(scope);
  }

  public static String text() {
    return TEXT;
  }

  private static void checkRequest(Request request, ApiResponse answer) {
    String errors = errors(VALIDATOR.validateRequest(request));
    if (!errors.isEmpty() && answer.status() / 100 != 4) {
      throw new AssertionError(
          "The contract does not allow "
              + request.getMethod()
              + " "
              + request.getPath()
              + " ("
              + errors
              + "), but it was answered "
              + answer.status());
    }
  }

  private static void checkAnswer(String path, Request.Method method, ApiResponse answer) {
    SimpleResponse.Builder response = SimpleResponse.Builder.status(answer.status());
    if (!answer.body().isEmpty()) {
      response.withBody(answer.body());
      answer.header("Content-Type"); // checked here, since the validator skips a missing one
    }
    answer.headers().map().forEach(response::withHeader);
    String errors = errors(VALIDATOR.validateResponse(path, method, response.build()));
    if (isJson(answer)) {
      errors += String.join("; ", FieldRules.faults(answer.json())) + ErrorSentences.fault(answer);
    }
    if (!errors.isEmpty()) {
      throw new AssertionError(
          "Not as the contract says: " + method + " " + path + ": " + errors + ": " + answer);
    }
  }

  private static boolean isJson(ApiResponse answer) {
    return !answer.body().isEmpty() && answer.header("Content-Type").startsWith("application/json");
  }

  private static Request request(
      String path, Request.Method method, HttpRequest sent, @Nullable String body) {
    SimpleRequest.Builder request = new SimpleRequest.Builder(method, path);
    if (body != null) {
      request.withBody(body);
    } else {
      request.withContentType("application/json"); // the validator asks for one of no body
    }
    sent.headers().map().forEach(request::withHeader);
    parameters(sent.uri()).forEach(request::withQueryParam);
    return request.build();
  }

  private static SortedMap<String, List<String>> parameters(URI url) {
    SortedMap<String, List<String>> parameters = new TreeMap<>();
    if (url.getRawQuery() != null) {
      for (String pair : url.getRawQuery().split("&", -1)) {
        String[] parts = pair.split("=", 2);
        parameters
            .computeIfAbsent(decoded(parts[0]), _ -> new ArrayList<>())
            .add(parts.length == 1 ? "" : decoded(parts[1]));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String errors(ValidationReport report) {
    return report.getMessages().stream()
        .filter(message -> message.getLevel() == ValidationReport.Level.ERROR)
        .map(message -> message.getMessage() + where(message))
        .distinct()
        .collect(Collectors.joining("; "));
  }

  private static String where(ValidationReport.Message message) {
    return message
        .getContext()
        .flatMap(ValidationReport.MessageContext::getPointers)
        .filter(pointers -> !pointers.getInstance().isEmpty())
        .map(pointers -> " at " + pointers.getInstance())
        .orElse("");
  }

  private static String read() {
    Path home = Path.of(System.getProperty("agentsessions.home", "../.."));
    try {
      return Files.readString(home.resolve("infra/openapi.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
