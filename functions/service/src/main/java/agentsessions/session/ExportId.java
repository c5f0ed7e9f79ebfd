package agentsessions.session;

import agentsessions.session.id.Uuids;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/// The id of an export: a session has one for each of its changes.
public record ExportId(UUID value) {
  public static Optional<ExportId> parse(String text) {
    return Uuids.parse(text).map(ExportId::new);
  }

  /// The id of the export of a session as of its last change.
  public static ExportId of(Session session) {
    String change = session.id() + "/" + session.updatedAt().digits();
    return new ExportId(UUID.nameUUIDFromBytes(change.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
