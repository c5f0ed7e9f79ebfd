package agentsessions.jobs.export;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.aws.LargeObjects;
import agentsessions.session.Artifact;
import agentsessions.session.Export;
import agentsessions.session.Message;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.table.Layout;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The contents of an export: the history twice, for programs and for people, the requests for
/// decisions, every artifact and patch, and last a manifest, which also lists the files for which
/// there was no room.
@Singleton
final class ExportContents {
  private static final int ARTIFACTS_AT_ONCE = 200;
  private static final String REQUESTS = "requests.json";

  private final Sessions sessions;
  private final Turns turns;
  private final Artifacts artifacts;
  private final ExportHistory history;
  private final LargeObjects objects;
  private final JsonMapper json;
  private final Clock clock;

  ExportContents(
      Sessions sessions,
      Turns turns,
      Artifacts artifacts,
      ExportHistory history,
      LargeObjects objects,
      JsonMapper json,
      Clock clock) {
    this.sessions = sessions;
    this.turns = turns;
    this.artifacts = artifacts;
    this.history = history;
    this.objects = objects;
    this.json = json;
    this.clock = clock;
  }

  /// Writes all of it, as one zip.
  ///
  /// @throws IOException also where the session was deleted meanwhile
  void write(Export export, OutputStream out) throws IOException {
    Sessions.Loaded loaded =
        sessions.loadWithPlans(export.sessionKey()).orElseThrow(ExportContents::gone);
    Turn latest = turns.load(loaded.session().current()).orElseThrow(ExportContents::gone);
    try (ExportZip zip = new ExportZip(out)) {
      Listed listed = new Listed(new ArrayList<>(), new ArrayList<>());
      Links links = new Links(export.baseUrl());
      addHistory(zip, "history.json", listed, to -> history.json(loaded, latest, links, to));
      addHistory(zip, "history.md", listed, to -> history.markdown(loaded.session(), latest, to));
      listed.files.add(
          ExportManifest.Entry.ofHistory(
              REQUESTS, zip.add(REQUESTS, to -> history.requests(export.sessionKey(), links, to))));
      addArtifacts(zip, export.sessionKey(), listed);
      byte[] manifest = json.writeValueAsBytes(manifest(export, loaded.session(), listed));
      zip.add("manifest.json", to -> to.write(manifest));
    }
  }

  /// The entries of the manifest so far.
  private record Listed(List<ExportManifest.Entry> files, List<ExportManifest.Entry> leftOut) {}

  /// The writer of a history, which returns the first message for which there was no room.
  @FunctionalInterface
  private interface Told {
    Optional<Message> to(OutputStream out) throws IOException;
  }

  private static void addHistory(ExportZip zip, String path, Listed listed, Told told)
      throws IOException {
    List<Message> beyond = new ArrayList<>();
    ExportZip.Added added = zip.add(path, out -> told.to(out).ifPresent(beyond::add));
    listed.files.add(ExportManifest.Entry.ofHistory(path, added));
    beyond.forEach(first -> listed.leftOut.add(ExportManifest.Entry.after(path, first)));
  }

  private void addArtifacts(ExportZip zip, SessionKey key, Listed listed) throws IOException {
    for (Artifact artifact : artifacts.from(key, Layout.LEAST, ARTIFACTS_AT_ONCE)) {
      addArtifact(zip, artifact, listed);
    }
  }

  private void addArtifact(ExportZip zip, Artifact artifact, Listed listed) throws IOException {
    if (!zip.hasRoomFor(artifact.bytes())) {
      listed.leftOut.add(ExportManifest.Entry.without(artifact));
      return;
    }
    String path = path(artifact);
    try (InputStream file = objects.read(artifact.objectKey())) {
      listed.files.add(ExportManifest.Entry.of(artifact, path, zip.add(path, file::transferTo)));
    }
  }

  /// The path of an artifact in the zip. Its id keeps files of the same name apart; characters that
  /// are unsafe in a path on other systems are replaced.
  private static String path(Artifact artifact) {
    String folder = artifact.isPatch() ? "patches" : "artifacts";
    String name = artifact.fileName().replaceAll("[\\p{Cntrl}\\\\:]|^\\.{1,2}$", "_");
    return "%s/%s/%s".formatted(folder, artifact.id(), name);
  }

  private ExportManifest manifest(Export export, Session session, Listed listed) {
    return new ExportManifest(
        export.id().toString(),
        session.id().toString(),
        CommonJson.time(session.updatedAt().instant()),
        CommonJson.time(clock.instant()),
        listed.files,
        listed.leftOut);
  }

  private static IllegalStateException gone() {
    return new IllegalStateException("the session was deleted meanwhile");
  }
}
