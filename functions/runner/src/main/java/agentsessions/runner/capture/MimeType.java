package agentsessions.runner.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.apache.tika.Tika;

/// The media type of a file, by its name and its first bytes. A text that is UTF-8 to its end gets
/// `charset=utf-8`, since clients assume another charset without it.
///
/// @param text whether its charset is said
public record MimeType(String name, boolean text) {
  private static final Tika TIKA = new Tika();

  /// Registered names for types that the library names differently.
  private static final Map<String, String> REGISTERED =
      Map.of("text/x-web-markdown", "text/markdown");

  public static MimeType of(String fileName, InputStream content) throws IOException {
    // The library resets the stream after it has read.
    String found = TIKA.detect(new BufferedInputStream(content), fileName);
    String type = REGISTERED.getOrDefault(found, found);
    return new MimeType(type, type.startsWith("text/"));
  }

  /// The type as it is recorded.
  ///
  /// @param utf8 whether the whole content is UTF-8
  public String described(boolean utf8) {
    return text && utf8 ? name + "; charset=utf-8" : name;
  }
}
