package agentsessions.client;

import agentsessions.client.Wire.Artifact;
import agentsessions.client.Wire.Repository;
import agentsessions.client.Wire.Work;
import java.util.List;
import java.util.Objects;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// Shows what was changed in the repositories of a session, as the patches that git makes of it.
final class Diff {
  /// In bytes of each patch.
  static final int MOST = 512 * 1024;

  private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;

  private final Api api;
  private final Artifacts artifacts;
  private final TranscriptPrinter transcript;

  Diff(Api api, Artifacts artifacts, TranscriptPrinter transcript) {
    this.api = api;
    this.artifacts = artifacts;
    this.transcript = transcript;
  }

  void show(String sessionId) {
    Work work = api.work(sessionId);
    List<Repository> repositories = Objects.requireNonNullElse(work.repositories(), List.of());
    if (repositories.isEmpty()) {
      transcript.note("This session has no repository: begin one with --repository URL.");
    }
    repositories.forEach(each -> show(sessionId, each));
  }

  private void show(String sessionId, Repository repository) {
    String id = repository.patchArtifactId();
    if (id == null) {
      String why =
          repository.error() == null ? "no changes yet" : RepositoryChanges.error(repository);
      transcript.note(repository.path() + ": there is no patch, " + why);
    } else {
      show(repository.path(), api.artifact(sessionId, id));
    }
  }

  private void show(String path, Artifact patch) {
    String text = artifacts.text(patch, MOST);
    transcript.note(path + ", which /file " + patch.id() + " downloads:");
    transcript.patch(text);
    if (patch.fileSizeInKb() * 1024 > MOST) {
      transcript.note("The patch goes on: /file " + patch.id() + " downloads all of it.");
    }
  }

  /// As git colours it. Between the line of a file and its first `@@`, all is about the file.
  static AttributedString coloured(String patch) {
    AttributedStringBuilder coloured = new AttributedStringBuilder();
    boolean inside = false;
    for (String line : patch.split("\n", -1)) {
      inside = line.startsWith("@@") || (inside && !line.startsWith("diff --git "));
      coloured.append(coloured.isEmpty() ? "" : "\n").styled(style(line, inside), line);
    }
    return coloured.toAttributedString();
  }

  private static AttributedStyle style(String line, boolean inside) {
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '@' -> PLAIN.foreground(AttributedStyle.CYAN);
      case '+' -> inside ? PLAIN.foreground(AttributedStyle.GREEN) : AttributedStyle.BOLD;
      case '-' -> inside ? PLAIN.foreground(AttributedStyle.RED) : AttributedStyle.BOLD;
      default -> inside ? PLAIN : AttributedStyle.BOLD;
    };
  }
}
