package agentsessions.api.request;

import agentsessions.session.id.Sha256;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.micronaut.json.JsonMapper;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The web console at `/console/`: a page with its modules. The files are the same for everybody
/// and need no key; the page reads all its data from the API, with the user's key.
///
/// The page itself is revalidated each time; the files it names have a digest of their content, or
/// a version, in their path and may be cached for ever.
///
/// Why: decision 020.
public final class Console {
  private static final String ROOT = "/console";
  private static final String PAGE = "text/html; charset=utf-8";
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private final ConsoleFiles files;
  private final String configuredBaseUrl;
  private final Supplier<String> downloads;

  /// @param configuredBaseUrl the URL that clients know, without a path of ours; empty: the
  ///   gateway's own
  /// @param downloads the origin that download links lead to
  public Console(JsonMapper json, String configuredBaseUrl, Supplier<String> downloads) {
    this.files = new ConsoleFiles(json);
    this.configuredBaseUrl = configuredBaseUrl;
    this.downloads = downloads;
  }

  /// The response, if the request is for the page or one of its files.
  public Optional<APIGatewayProxyResponseEvent> answer(APIGatewayProxyRequestEvent event) {
    String path = event.getPath();
    if (!event.getHttpMethod().equals("GET") || !path.startsWith(ROOT)) {
      return Optional.empty();
    }
    return path.equals(ROOT) || path.equals(ROOT + "/")
        ? Optional.of(page(where(event)))
        : files.file(path.substring(ROOT.length())).map(Console::kept);
  }

  /// The path of the page. Behind a gateway the stage comes first.
  private String where(APIGatewayProxyRequestEvent event) {
    return configuredBaseUrl.isEmpty()
        ? "/" + event.getRequestContext().getStage() + ROOT
        : URI.create(configuredBaseUrl).getPath() + ROOT;
  }

  private APIGatewayProxyResponseEvent page(String where) {
    String imports = files.imports(where);
    String digest = Base64.getEncoder().encodeToString(Sha256.of(imports));
    Map<String, List<String>> headers = headers(PAGE, "no-cache");
    headers.put("Content-Security-Policy", List.of(policy(digest)));
    return answer(headers, files.page(where, imports));
  }

  /// The Content-Security-Policy: only scripts of this origin and the page's import map run, only
  /// sanitized markup becomes part of the page, and requests go to this service and the bucket
  /// only.
  private String policy(String digestOfImports) {
    return """
    default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self' %s; frame-src blob:; require-trusted-types-for 'script'; \
    trusted-types lit-html dompurify; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\
    """
        .formatted(digestOfImports, downloads.get());
  }

  private static APIGatewayProxyResponseEvent kept(ConsoleFiles.File file) {
    return answer(headers(file.type(), FOR_EVER), file.text());
  }

  private static Map<String, List<String>> headers(String type, String mayBeKept) {
    return new HashMap<>(
        Map.of(
            "Content-Type", List.of(type),
            "Cache-Control", List.of(mayBeKept),
            "X-Content-Type-Options", List.of("nosniff"),
            "Referrer-Policy", List.of("no-referrer")));
  }

  private static APIGatewayProxyResponseEvent answer(
      Map<String, List<String>> headers, String body) {
    APIGatewayProxyResponseEvent answer = new APIGatewayProxyResponseEvent();
    answer.setStatusCode(200);
    answer.setMultiValueHeaders(headers);
    answer.setBody(body);
    return answer;
  }
}
