package agentsessions.session;

import agentsessions.session.id.Uuids;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/// Names one export: a session has one for each of its changes.
public record ExportId(UUID value) {
  public static Optional<ExportId> parse(String text) {
    return Uuids.parse(text).map(ExportId::new);
  }

  /// That of a session as it was changed last.
  public static ExportId of(Session session) {
    String change = session.id() + "/" + session.updatedAt().digits();
    return new ExportId(UUID.nameUUIDFromBytes(change.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
