package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.session.Artifact;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.UploadId;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.Upload;
import agentsessions.session.input.WorkspacePath;
import agentsessions.session.repository.Checkout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The reader of `files` in a request: the files that a message brings.
///
/// @param artifact finds an artifact of the workspace
/// @param upload finds an upload of the workspace that has arrived and not expired
record FileFields(
    Function<ArtifactId, Optional<Artifact>> artifact,
    Function<UploadId, Optional<Upload>> upload) {
  private static final int MOST = 20;
  private static final String EXAMPLE = "{\"path\": …, \"content\": …}";
  private static final int MOST_INLINE = 256 * 1024;
  private static final List<String> CONTENTS =
      List.of("content", "content_base64", "upload_id", "artifact_id");

  /// The files whose content can be read. Every fault is recorded in `body`.
  List<InputFile> read(BodyFields body, List<Checkout> checkouts) {
    List<InputFile> files = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    for (BodyFields one : body.objects("files", MOST, EXAMPLE)) {
      String path = path(one, paths, checkouts);
      paths.add(path);
      file(one, path).ifPresent(files::add);
    }
    if (files.stream().mapToLong(FileFields::inline).sum() > MOST_INLINE) {
      body.fault(
          "files", "must have at most 262,144 bytes of content together; upload larger ones");
    }
    return files;
  }

  private static String path(BodyFields one, List<String> paths, List<Checkout> checkouts) {
    String path = one.required("path");
    if (path.isBlank()) {
      return "";
    }
    one.fault("path", WorkspacePath.fault(path));
    for (int i = 0; i < paths.size(); i++) {
      if (!paths.get(i).isEmpty() && WorkspacePath.meet(path, paths.get(i))) {
        one.fault(
            "path",
            "must not be, nor be the folder of, the path of files[%d], or the other way round"
                .formatted(i));
        return path;
      }
    }
    if (checkouts.stream().anyMatch(checkout -> WorkspacePath.isIn(checkout.path(), path))) {
      one.fault("path", "must not be the folder of a repository");
    }
    return path;
  }

  private Optional<InputFile> file(BodyFields one, String path) {
    List<String> given = CONTENTS.stream().filter(one::has).toList();
    if (given.size() != 1) {
      one.fault("must have one of " + String.join(", ", CONTENTS));
      return Optional.empty();
    }
    return switch (given.getFirst()) {
      case "content" ->
          one.optional("content", Integer.MAX_VALUE)
              .map(text -> inline(path, text.getBytes(StandardCharsets.UTF_8)));
      case "content_base64" ->
          one.optional("content_base64", Integer.MAX_VALUE)
              .flatMap(text -> decoded(one, text))
              .map(bytes -> inline(path, bytes));
      case "artifact_id" -> ofArtifact(one, path);
      default -> ofUpload(one, path);
    };
  }

  private Optional<InputFile> ofUpload(BodyFields one, String path) {
    Optional<Upload> found =
        one.optional("upload_id", Integer.MAX_VALUE).flatMap(UploadId::parse).flatMap(upload);
    if (found.isEmpty()) {
      one.fault("upload_id", Upload.WANTED);
    }
    return found.map(
        known -> new InputFile.Stored(path, known.objectKey(), known.size(), known.sha256()));
  }

  private Optional<InputFile> ofArtifact(BodyFields one, String path) {
    Optional<Artifact> found =
        one.optional("artifact_id", Integer.MAX_VALUE).flatMap(ArtifactId::parse).flatMap(artifact);
    if (found.isEmpty()) {
      one.fault("artifact_id", "must be an artifact of the workspace");
    }
    return found.map(
        known -> new InputFile.Stored(path, known.objectKey(), known.bytes(), known.sha256()));
  }

  private static Optional<byte[]> decoded(BodyFields one, String text) {
    try {
      return Optional.of(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException malformed) {
      one.fault("content_base64", "must be base64");
      return Optional.empty();
    }
  }

  private static InputFile inline(String path, byte[] bytes) {
    return new InputFile.Inline(path, ByteBuffer.wrap(bytes));
  }

  private static long inline(InputFile file) {
    return switch (file) {
      case InputFile.Inline inline -> inline.content().remaining();
      case InputFile.Stored _ -> 0;
    };
  }
}
