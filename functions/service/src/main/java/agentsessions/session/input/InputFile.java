package agentsessions.session.input;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A file that a message brings, at a path relative to `/workspace`.
public sealed interface InputFile {
  String path();

  /// Its content came with the message.
  record Inline(String path, ByteBuffer content) implements InputFile {}

  /// Its content is an object that was there before.
  ///
  /// @param size in bytes
  /// @param sha256 of the content, where it is known
  record Stored(String path, String objectKey, long size, @Nullable String sha256)
      implements InputFile {}
}
