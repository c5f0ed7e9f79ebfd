package agentsessions.runner.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.tika.Tika;

/// The media type of a file, by its name and its first bytes. A text that is UTF-8 to its end gets
/// `charset=utf-8`, since clients assume another charset without it.
public final class MimeType {
  private static final Tika TIKA = new Tika();

  /// Registered names for types that the library names differently.
  private static final Map<String, String> REGISTERED =
      Map.of("text/x-web-markdown", "text/markdown");

  private MimeType() {}

  public static String of(String name, InputStream content) throws IOException {
    // The library resets the stream after it has read.
    InputStream whole = new BufferedInputStream(content);
    String found = TIKA.detect(whole, name);
    String type = REGISTERED.getOrDefault(found, found);
    return type.startsWith("text/") && isUtf8(whole) ? type + "; charset=utf-8" : type;
  }

  private static boolean isUtf8(InputStream content) throws IOException {
    try (Reader reader = new InputStreamReader(content, StandardCharsets.UTF_8.newDecoder())) {
      reader.transferTo(Writer.nullWriter());
      return true;
    } catch (CharacterCodingException otherwise) {
      return false;
    }
  }
}
