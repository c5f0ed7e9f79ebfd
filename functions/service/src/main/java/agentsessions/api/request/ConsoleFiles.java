package agentsessions.api.request;

import agentsessions.session.id.Sha256;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The console's static files: our own, which the page names one by one, and the scripts of
/// libraries, served from their jars. A library is found by the import map in its jar; one whose
/// jar has none, a WebJar, by its version.
///
/// No other file can be requested. Files are read when first needed.
final class ConsoleFiles {
  private static final Pattern NAMED =
      Pattern.compile("\\{files}/((?:[a-z-]+/)?[a-z-]+\\.(?:js|css|svg))");
  private static final Pattern OURS =
      Pattern.compile("/([0-9a-f]{16})/((?:[a-z-]+/)?[a-z-]+\\.[a-z]+)");
  private static final Pattern SCRIPT =
      Pattern.compile(
          "/(?:_static|webjars/(?:prismjs|js-sha256))(?:/[A-Za-z0-9@_-][A-Za-z0-9@._-]*)+\\.m?js");
  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  /// One file as it is sent: its content type and its text.
  record File(String type, String text) {}

  /// The page before its placeholders are filled, the files that it names, and their digest.
  private record Site(String page, Map<String, String> named, String digest) {}

  private final JsonMapper json;
  private volatile @Nullable Site site;

  ConsoleFiles(JsonMapper json) {
    this.json = json;
  }

  /// A file by its path below the console's.
  Optional<File> file(String path) {
    Matcher ours = OURS.matcher(path);
    if (ours.matches()) {
      return ours(ours.group(1), ours.group(2));
    }
    return SCRIPT.matcher(path).matches()
        ? text("META-INF/resources" + path).map(text -> file(path, text))
        : Optional.empty();
  }

  /// The page for a console at the path `where`, with its import map.
  String page(String where, String imports) {
    Site site = site();
    return site.page.replace("{files}", where + "/" + site.digest).replace("{imports}", imports);
  }

  /// The import map: the path of each library that our modules import by name.
  String imports(String where) {
    Map<String, String> imports = new TreeMap<>();
    try {
      for (URL map : Collections.list(loader().getResources("META-INF/importmap.json"))) {
        imported(map).forEach((name, path) -> imports.put(name, where + path));
      }
      // The minified file is a third of the module's size, and is loaded before anything is shown.
      imports.computeIfPresent(
          "dompurify", (_, path) -> path.replace("/purify.es.mjs", "/purify.min.js"));
      imports.put("prismjs/", where + webjar("prismjs") + "components/");
      imports.put("js-sha256", where + webjar("js-sha256") + "build/sha256.min.js");
      return new String(json.writeValueAsBytes(Map.of("imports", imports)), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// The folder of a WebJar. The version is part of it, and comes from the jar's own properties.
  private static String webjar(String name) throws IOException {
    Properties known = new Properties();
    known.load(
        new StringReader(
            required("META-INF/maven/org.webjars.npm/%s/pom.properties".formatted(name))));
    return "/webjars/%s/%s/".formatted(name, known.getProperty("version"));
  }

  private Map<String, String> imported(URL map) throws IOException {
    try (InputStream in = map.openStream()) {
      return json.readValue(
              in.readAllBytes(),
              Argument.mapOf(Argument.of(String.class), Argument.mapOf(String.class, String.class)))
          .getOrDefault("imports", Map.of());
    }
  }

  private Optional<File> ours(String digest, String name) {
    Site site = site();
    return site.digest.equals(digest)
        ? Optional.ofNullable(site.named.get(name)).map(text -> file(name, text))
        : Optional.empty();
  }

  private static File file(String name, String text) {
    return new File(TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), ""), text);
  }

  private Site site() {
    Site known = site;
    if (known == null) {
      known = read();
      site = known;
    }
    return known;
  }

  private static Site read() {
    String page = required("console/index.html");
    Map<String, String> named = new TreeMap<>();
    NAMED
        .matcher(page)
        .results()
        .forEach(found -> named.put(found.group(1), required("console/" + found.group(1))));
    return new Site(page, named, digest(List.copyOf(named.values())));
  }

  private static String digest(List<String> texts) {
    return HexFormat.of().formatHex(Sha256.of(String.join("\0", texts)), 0, 8);
  }

  private static String required(String resource) {
    return text(resource)
        .orElseThrow(() -> new IllegalStateException(resource + " is not in the package"));
  }

  private static Optional<String> text(String resource) {
    try (InputStream in = loader().getResourceAsStream(resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static ClassLoader loader() {
    return ConsoleFiles.class.getClassLoader();
  }
}
