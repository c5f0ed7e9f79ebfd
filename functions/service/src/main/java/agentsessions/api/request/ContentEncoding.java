package agentsessions.api.request;

import agentsessions.session.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/// The `Content-Encoding` of a request body: none or gzip. A gateway may have decompressed the body
/// and left the header as it was, so only a body that begins as gzip does is decompressed, and no
/// further than the size limit.
final class ContentEncoding {
  static byte[] unpacked(byte[] body, String coding) {
    return switch (coding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> body;
      case "gzip", "x-gzip" -> isPacked(body) ? unpacked(body) : body;
      default ->
          throw Refusal.of(Refusal.Code.UNSUPPORTED_MEDIA_TYPE, "The body must be plain or gzip");
    };
  }

  /// One byte over the limit is enough for the body to be refused by its length.
  private static byte[] unpacked(byte[] body) {
    try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return plain.readNBytes(RequestBody.MOST_BYTES + 1);
    } catch (IOException malformed) {
      throw Refusal.of(Refusal.Code.BAD_REQUEST, "The body is not what its encoding says");
    }
  }

  private static boolean isPacked(byte[] body) {
    return body.length > 1 && body[0] == 0x1f && body[1] == (byte) 0x8b;
  }

  private ContentEncoding() {}
}
