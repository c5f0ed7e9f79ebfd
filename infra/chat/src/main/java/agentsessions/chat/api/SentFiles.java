package agentsessions.chat.api;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// The transfer of a message's files: inside the request up to 256 KiB in all, the others by
/// uploads that the request names.
final class SentFiles {
  private static final long ROOM = 256 * 1024;

  private final UploadClient uploads;

  SentFiles(UploadClient uploads) {
    this.uploads = uploads;
  }

  /// The JSON fields of the API's request.
  ///
  /// @throws ChatFailure if one cannot be read or uploaded
  List<Map<String, Object>> fields(List<LocalFile> files) {
    long room = ROOM;
    List<Map<String, Object>> fields = new ArrayList<>();
    for (LocalFile each : files) {
      if (each.size() <= room) {
        room -= each.size();
        fields.add(Map.of("path", each.path(), "content_base64", content(each)));
      } else {
        fields.add(Map.of("path", each.path(), "upload_id", uploads.put(each)));
      }
    }
    return fields;
  }

  private static String content(LocalFile each) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(each.file()));
    } catch (IOException e) {
      throw new ChatFailure("Cannot read " + each.file());
    }
  }
}
