package agentsessions.runner.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.tika.Tika;

/// The type of a file, by its name and its first bytes.
public final class MimeType {
  private static final Tika TIKA = new Tika();

  /// Registered names for what the library calls otherwise.
  private static final Map<String, String> REGISTERED =
      Map.of("text/x-web-markdown", "text/markdown");

  private MimeType() {}

  public static String of(String name, InputStream content) throws IOException {
    String type = TIKA.detect(new BufferedInputStream(content), name);
    return REGISTERED.getOrDefault(type, type);
  }
}
