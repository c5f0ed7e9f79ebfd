package agentsessions.runner.network.git;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A git host's ref advertisement, reduced to what matters for one branch.
///
/// @param defaultRef the ref that the remote's HEAD names, if the host says it
/// @param head the commit at the ref that was asked about, if the ref exists
/// @param hasCommit whether any ref points to the commit that was asked about
public record RefAdvertisement(
    Optional<String> defaultRef, Optional<String> head, boolean hasCommit) {
  private static final RefAdvertisement EMPTY =
      new RefAdvertisement(Optional.empty(), Optional.empty(), false);
  private static final long MOST = 512L * 1024 * 1024;
  private static final String SERVICE = "# service=git-upload-pack";
  private static final String HEAD = "symref=HEAD:";
  private static final Pattern REF =
      Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)(?:\0([^\n]*))?");

  /// Reads the format of protocol versions 0 and 1, which list all refs.
  ///
  /// @throws IOException if the response has another format, or is incomplete
  static RefAdvertisement read(InputStream body, String ref, String commit) throws IOException {
    if (!SERVICE.equals(Packets.line(body).orElse("")) || Packets.line(body).isPresent()) {
      throw new IOException("its answer is not git's protocol");
    }
    RefAdvertisement read = EMPTY;
    long size = 0;
    for (Optional<String> line = Packets.line(body); line.isPresent(); line = Packets.line(body)) {
      size += line.get().length();
      if (size > MOST) {
        throw new IOException("it has too many refs");
      }
      read = read.with(line.get(), ref, commit);
    }
    return read;
  }

  private RefAdvertisement with(String line, String wanted, String commit) throws IOException {
    if (line.startsWith("shallow ")) {
      return this;
    }
    Matcher ref = REF.matcher(line);
    if (!ref.matches()) {
      throw new IOException("its answer is not a list of refs");
    }
    String id = ref.group(1);
    return new RefAdvertisement(
        defaultRef.or(() -> named(ref.group(3))),
        ref.group(2).equals(wanted) ? Optional.of(id) : head,
        hasCommit || id.equals(commit));
  }

  /// The default branch from the capabilities, which only the first line has.
  private static Optional<String> named(@Nullable String capabilities) {
    return capabilities == null
        ? Optional.empty()
        : Stream.of(capabilities.split(" ", -1))
            .filter(word -> word.startsWith(HEAD))
            .map(word -> word.substring(HEAD.length()))
            .findFirst();
  }
}
