package agentsessions.chat.api;

import agentsessions.chat.api.ApiModel.Upload;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The client of the API's uploads: a file is announced, then put by a presigned link; messages can
/// name it for a day.
final class UploadClient {
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Function<Map<String, Object>, Upload> announce;
  private final UnaryOperator<URI> here;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  /// @param announce asks the service for an upload link
  /// @param here the address by which this client reaches a link
  UploadClient(Function<Map<String, Object>, Upload> announce, UnaryOperator<URI> here) {
    this.announce = announce;
    this.here = here;
  }

  /// Uploads a file.
  ///
  /// @return the id by which a message names the upload
  /// @throws ChatFailure if the upload fails
  String put(LocalFile local) {
    try {
      Upload upload = announce.apply(announcement(local));
      int status = put(upload, local.file());
      if (status / 100 != 2) {
        throw new IOException("the upload link answered " + status);
      }
      return upload.id();
    } catch (IOException e) {
      throw new ChatFailure("Cannot upload " + local.file() + ": " + e.getMessage());
    } catch (ChatFailure e) {
      throw new ChatFailure("Cannot upload " + local.file() + ": " + e.reason());
    }
  }

  private static Map<String, Object> announcement(LocalFile local) throws IOException {
    return Map.of(
        "file_name", String.valueOf(local.file().getFileName()),
        "size", local.size(),
        "sha256", sha256(local.file()));
  }

  /// Puts the file by its presigned link, without the API key, which the link's server must not
  /// get.
  private int put(Upload upload, Path file) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(here.apply(URI.create(upload.url())))
            .timeout(LONGEST)
            .PUT(BodyPublishers.ofFile(file));
    upload.headers().forEach(request::header);
    try {
      return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String sha256(Path file) throws IOException {
    try (DigestInputStream in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
