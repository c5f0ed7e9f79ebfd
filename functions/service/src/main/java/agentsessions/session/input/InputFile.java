package agentsessions.session.input;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A file that a message brings, at a path relative to `/workspace`.
public sealed interface InputFile {
  String path();

  /// Its content came with the message.
  record Inline(String path, ByteBuffer content) implements InputFile {}

  /// Its content is an object that was there before, an artifact or an upload. It is read where it
  /// lies when the turn is claimed: a copy would stay behind where the message is not accepted. An
  /// upload stays a day longer than it can be named, and a turn waits a quarter of that at most; an
  /// artifact may be gone with its session, and then the turn ends with `FILE_UNAVAILABLE`.
  ///
  /// @param size in bytes
  /// @param sha256 of the content, where it is known
  record Stored(String path, String objectKey, long size, @Nullable String sha256)
      implements InputFile {}
}
