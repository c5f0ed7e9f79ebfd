package agentsessions.local.front;

import java.util.List;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.server.Handler;

/// The gzip compression of text responses of 1 KiB and more, for clients that accept it. Compressed
/// requests are passed on unchanged, since the service decompresses them within its own limit.
final class ResponseCompression {
  private static final int SMALLEST_BYTES = 1 << 10;
  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/yaml",
          "text/html",
          "text/css",
          "text/javascript",
          "image/svg+xml");

  static Handler around(Handler inner) {
    GzipCompression gzip = new GzipCompression();
    gzip.setMinCompressSize(SMALLEST_BYTES);
    CompressionConfig.Builder texts = CompressionConfig.builder().decompressExcludePath("/*");
    TYPES.forEach(texts::compressIncludeMimeType);
    CompressionHandler handler = new CompressionHandler(inner);
    handler.putCompression(gzip);
    handler.putConfiguration("/*", texts.build());
    return handler;
  }

  private ResponseCompression() {}
}
