package agentsessions.session.input;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A file that a message brings, at a path relative to `/workspace`.
public sealed interface InputFile {
  String path();

  /// In bytes.
  long size();

  /// Its content came with the message.
  record Inline(String path, ByteBuffer content) implements InputFile {
    @Override
    public long size() {
      return content.remaining();
    }
  }

  /// Its content is an existing object, an artifact or an upload, and is read from there when the
  /// turn is claimed. The object of an upload stays a day longer than the upload can be named, far
  /// longer than a turn may be queued, but a message may wait for longer than that: it brings a
  /// copy. An artifact may be deleted with its session, and then the turn ends with
  /// `FILE_UNAVAILABLE`.
  ///
  /// @param size in bytes
  /// @param sha256 of the content, where it is known
  record Stored(String path, String objectKey, long size, @Nullable String sha256)
      implements InputFile {
    /// Whether it is an upload itself, which is deleted by its age.
    public boolean isUpload() {
      return objectKey.startsWith(Upload.KEYS);
    }

    /// The same content as another object.
    public Stored at(String key) {
      return new Stored(path, key, size, sha256);
    }
  }
}
