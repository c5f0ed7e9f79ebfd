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
  /// turn is claimed: a copy would stay behind if the message were not accepted. The object of an
  /// upload stays a day longer than the upload can be named, far longer than a turn may be queued;
  /// an artifact may be deleted with its session, and then the turn ends with `FILE_UNAVAILABLE`.
  ///
  /// @param size in bytes
  /// @param sha256 of the content, where it is known
  record Stored(String path, String objectKey, long size, @Nullable String sha256)
      implements InputFile {}
}
