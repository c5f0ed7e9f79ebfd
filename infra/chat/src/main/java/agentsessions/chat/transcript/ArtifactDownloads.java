package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.Repository;
import agentsessions.chat.api.ChatFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The artifacts of a session, plans and files: lists and downloads them.
public final class ArtifactDownloads {
  private final Api api;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  public ArtifactDownloads(Api api) {
    this.api = api;
  }

  /// The latest version of each path, in the order in which the paths first appeared.
  public List<Artifact> latest(String sessionId, String kind) {
    Map<String, Artifact> byPath = new LinkedHashMap<>();
    api.artifacts(sessionId, kind).forEach(each -> byPath.put(each.filePath(), each));
    return List.copyOf(byPath.values());
  }

  /// An artifact by its number in [#latest], from 1, or by its id.
  public Artifact find(String sessionId, String kind, String which) {
    if (!which.matches("\\d{1,4}")) {
      return api.artifact(sessionId, which);
    }
    List<Artifact> all = latest(sessionId, kind);
    int number = Integer.parseInt(which);
    if (number < 1 || number > all.size()) {
      throw new ChatFailure("There is no " + kind + " " + which + ": see /" + kind + "s");
    }
    return all.get(number - 1);
  }

  /// The patches of the changed repositories.
  public List<Artifact> patches(String sessionId, List<Repository> repositories) {
    return repositories.stream()
        .map(Repository::patchArtifactId)
        .filter(Objects::nonNull)
        .map(id -> api.artifact(sessionId, id))
        .toList();
  }

  /// The beginning of an artifact's text.
  ///
  /// @param isWhole whether it is all of it, and UTF-8
  record Beginning(String text, boolean isWhole) {}

  /// The beginning of an artifact's text, at most `most` bytes.
  Beginning text(Artifact artifact, int most) {
    try {
      Path part = Files.createTempFile("download-", "");
      try (InputStream in = downloaded(artifact, part)) {
        byte[] bytes = in.readNBytes(most);
        String text = new String(bytes, StandardCharsets.UTF_8);
        boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
        return new Beginning(text, isText && in.read() < 0);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new ChatFailure("Cannot download " + artifact.fileName() + ": " + e.getMessage());
    }
  }

  private InputStream downloaded(Artifact artifact, Path part) throws IOException {
    download(artifact, part);
    return Files.newInputStream(part);
  }

  /// Downloads an artifact to a file, atomically.
  ///
  /// @param to a file, which is replaced, or a folder; null: a new file of the artifact's name in
  ///   the working folder
  /// @return the file
  public Path save(Artifact artifact, @Nullable String to) {
    Path file = target(artifact, to);
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new ChatFailure("There is no folder " + folder);
    }
    try {
      Path part = Files.createTempFile(folder, ".download-", "");
      try {
        download(artifact, part);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      return file;
    } catch (IOException e) {
      throw new ChatFailure("Cannot download to " + file + ": " + e.getMessage());
    }
  }

  /// The file to write. The agent chose the artifact's name, so only its last part is used, and it
  /// never overwrites a file.
  private static Path target(Artifact artifact, @Nullable String to) {
    String name = TranscriptPrinter.clean(artifact.fileName()).replaceAll(".*[/\\\\]|^\\.+$", "");
    Path named = Path.of(name.isEmpty() ? artifact.id() : name);
    if (to != null) {
      return Files.isDirectory(Path.of(to)) ? Path.of(to).resolve(named) : Path.of(to);
    }
    if (Files.exists(named)) {
      throw new ChatFailure(named + " is here already: name a file to write it to");
    }
    return named;
  }

  /// Downloads by the presigned link, without the API key, which the link's server must not get.
  private void download(Artifact artifact, Path part) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(api.here(URI.create(artifact.url())))
            .timeout(Duration.ofMinutes(5))
            .build();
    MessageDigest digest = sha256();
    HttpResponse<InputStream> answer = send(request);
    try (InputStream body = new DigestInputStream(answer.body(), digest)) {
      if (answer.statusCode() != 200) {
        throw new IOException("the download link answered " + answer.statusCode());
      }
      Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!HexFormat.of().formatHex(digest.digest()).equals(artifact.sha256())) {
      throw new IOException("what came is not what was captured (SHA-256 differs)");
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
