package agentsessions.client.api;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// How files of this machine go along with a message: inside of it as long as there is room, which
/// is 256 KiB for all of them, else by uploads that it names.
final class SentFiles {
  private static final long ROOM = 256 * 1024;

  private final Uploads uploads;

  SentFiles(Uploads uploads) {
    this.uploads = uploads;
  }

  /// As the API takes them.
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
