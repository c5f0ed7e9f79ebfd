package agentsessions.local.front;

import static java.util.Map.entry;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The API reference at `/docs`: Swagger UI from its jar, showing `/rest/v1/openapi.yaml`, with a
/// field for a key and calls for the SDKs. It also answers `/`, by links to the pages.
///
/// It is public and read-only. Only the files named here are served, and the page may send requests
/// to no other host.
final class ApiDocs {
  private static final String ROOT = "/docs";
  private static final String BEGINNING =
      "{\"console\":\"console/\",\"docs\":\"docs\",\"contract\":\"rest/v1/openapi.yaml\"}";
  private static final String VIEWER = "META-INF/maven/org.webjars/swagger-ui/pom.properties";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  // `data:`, because the viewer's style sheet has its pictures inline.
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private record Asset(String resource, String type) {}

  private final Map<String, Asset> assets;

  ApiDocs() {
    String viewer = "META-INF/resources/webjars/swagger-ui/" + viewerVersion() + "/";
    Asset page = new Asset("agentsessions/local/front/docs.html", "text/html; charset=utf-8");
    assets =
        Map.ofEntries(
            entry(ROOT, page),
            entry(ROOT + "/", page),
            entry(ROOT + "/docs.js", new Asset("agentsessions/local/front/docs.js", SCRIPT)),
            entry(ROOT + "/calls.js", new Asset("agentsessions/local/front/calls.js", SCRIPT)),
            entry(ROOT + "/docs.css", new Asset("agentsessions/local/front/docs.css", STYLE)),
            entry(
                ROOT + "/swagger-ui-bundle.js", new Asset(viewer + "swagger-ui-bundle.js", SCRIPT)),
            entry(ROOT + "/swagger-ui.css", new Asset(viewer + "swagger-ui.css", STYLE)),
            entry(
                ROOT + "/favicon-32x32.png", new Asset(viewer + "favicon-32x32.png", "image/png")));
  }

  /// The response, if the request is for `/` or `/docs`. The raw path decides, so that no path
  /// below `/docs` reaches the gateway.
  Optional<Answer> answer(Request request) {
    if (request.path().equals("/") && Set.of("GET", "HEAD").contains(request.method())) {
      return Optional.of(beginning().with("X-Request-Id", request.id()));
    }
    boolean ours = request.path().equals(ROOT) || request.path().startsWith(ROOT + "/");
    return ours ? Optional.of(shown(request).with("X-Request-Id", request.id())) : Optional.empty();
  }

  /// The response to `/`: links to the console, the documentation and the contract.
  private static Answer beginning() {
    return new Answer(
        200,
        List.of(
            new Header("Content-Type", "application/json"),
            new Header("Cache-Control", "no-store")),
        BEGINNING.getBytes(StandardCharsets.UTF_8));
  }

  private Answer shown(Request request) {
    @Nullable Asset asset = assets.get(request.path());
    if (asset == null) {
      return GatewayResponse.notFound().answer(request.id());
    }
    if (!Set.of("GET", "HEAD").contains(request.method())) {
      return GatewayResponse.methodNotAllowed("GET, HEAD").answer(request.id());
    }
    return new Answer(200, headers(asset.type()), bytes(asset.resource()));
  }

  private static List<Header> headers(String type) {
    return List.of(
        new Header("Content-Type", type),
        new Header("Content-Security-Policy", POLICY),
        new Header("X-Content-Type-Options", "nosniff"),
        new Header("Referrer-Policy", "no-referrer"),
        new Header("Cache-Control", "no-cache"));
  }

  /// The viewer's version, which is part of its paths; the jar states it.
  private static String viewerVersion() {
    try (InputStream in = open(VIEWER)) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String resource) {
    try (InputStream in = open(resource)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String resource) throws IOException {
    @Nullable InputStream in = ApiDocs.class.getClassLoader().getResourceAsStream(resource);
    if (in == null) {
      throw new IOException("No " + resource + " on the class path");
    }
    return in;
  }
}
