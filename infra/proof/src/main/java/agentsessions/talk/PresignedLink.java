package agentsessions.talk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/// Requests to links that carry their own permission, such as presigned links: without a key.
public final class PresignedLink {
  private PresignedLink() {}

  /// Downloads a link as a browser would: without any header of ours.
  public static HttpResponse<byte[]> download(String link) {
    return HttpTransport.exchange(HttpTransport.request(link).build(), BodyHandlers.ofByteArray());
  }

  /// The text behind a link.
  public static String content(String link) {
    HttpResponse<byte[]> download = download(link);
    assertEquals(200, download.statusCode());
    return new String(download.body(), StandardCharsets.UTF_8);
  }

  /// The text behind an artifact's link.
  public static String content(JsonNode artifact) {
    return content(artifact.path("url").asText());
  }

  /// Uploads a file as any HTTP client does: to the link of an upload, with the headers that came
  /// with it and further ones. The status of the answer.
  public static int upload(JsonNode upload, String content, String... headers) {
    HttpRequest.Builder request =
        HttpTransport.request(upload.path("url").asText()).PUT(BodyPublishers.ofString(content));
    upload
        .path("headers")
        .properties()
        .forEach(header -> request.header(header.getKey(), header.getValue().asText()));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpTransport.exchange(request.build(), BodyHandlers.discarding()).statusCode();
  }

  /// Uploads to a link that must not overwrite a file; the status of the answer.
  public static int put(String link, byte[] content) {
    HttpRequest request =
        HttpTransport.request(link)
            .header("If-None-Match", "*")
            .PUT(BodyPublishers.ofByteArray(content))
            .build();
    return HttpTransport.exchange(request, BodyHandlers.discarding()).statusCode();
  }

  /// Uploads a part to a link; its entity tag.
  public static String putPart(String link, byte[] content) {
    HttpRequest request =
        HttpTransport.request(link).PUT(BodyPublishers.ofByteArray(content)).build();
    return HttpTransport.exchange(request, BodyHandlers.discarding())
        .headers()
        .firstValue("ETag")
        .orElseThrow();
  }
}
