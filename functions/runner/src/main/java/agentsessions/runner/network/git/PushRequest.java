package agentsessions.runner.network.git;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The beginning of a push in git's protocol: `shallow` lines, and one change of a ref. Pushes of
/// another form are refused: several changes, a signed push, and push options, by which some hosts
/// can be told to do more than to take commits.
///
/// @param head the bytes of that beginning, to be forwarded
/// @param capabilities the capabilities of the sender
@SuppressWarnings("ArrayRecordComponent") // requests are never compared
record PushRequest(byte[] head, String oldId, String newId, String ref, Set<String> capabilities) {
  private static final int MOST_BYTES = 1024 * 1024;
  private static final int LENGTH = 4;
  private static final int HEXADECIMAL = 16;
  private static final Pattern SHALLOW = Pattern.compile("shallow ([0-9a-f]{40}|[0-9a-f]{64})\n?");
  private static final Pattern CHANGE =
      Pattern.compile(
          "([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)\0([^\0\n]*)\n?");

  /// Reads up to the end of the changes and not a byte more. Empty if no change is asked for: so
  /// git probes a connection before a large push.
  ///
  /// @throws Refused if a push of this form may not go out
  static Optional<PushRequest> read(InputStream body) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    List<String> changes = new ArrayList<>();
    for (String line = line(body, head); !line.isEmpty(); line = line(body, head)) {
      if (!SHALLOW.matcher(line).matches()) {
        changes.add(line);
      }
    }
    return changes.isEmpty() ? Optional.empty() : Optional.of(of(head.toByteArray(), changes));
  }

  /// Whether the sender asks for a status report.
  boolean asksForReport() {
    return capabilities.contains("report-status") || capabilities.contains("report-status-v2");
  }

  /// The refusal of a push because of its form, in words for its sender.
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;
    private final transient Set<String> capabilities;

    private Refused(String why, Set<String> capabilities) {
      super(why);
      this.capabilities = capabilities;
    }

    Set<String> capabilities() {
      return capabilities;
    }
  }

  private static PushRequest of(byte[] head, List<String> changes) throws Refused {
    Matcher parts = CHANGE.matcher(changes.getFirst());
    if (!parts.matches()) {
      throw new Refused("only plain pushes may go out, not signed ones", Set.of());
    }
    Set<String> capabilities = Set.copyOf(List.of(parts.group(4).strip().split(" ")));
    if (changes.size() > 1) {
      throw new Refused("a push may change one branch and no more", capabilities);
    }
    if (capabilities.contains("push-options")) {
      throw new Refused("a push may have no options", capabilities);
    }
    return new PushRequest(head, parts.group(1), parts.group(2), parts.group(3), capabilities);
  }

  /// The text of the next packet; empty for the flush packet that ends a list.
  private static String line(InputStream body, ByteArrayOutputStream head) throws IOException {
    byte[] length = exactly(body, LENGTH, head);
    int size = number(length);
    if (size == 0) {
      return "";
    }
    if (size <= LENGTH) {
      throw new EOFException("not git's protocol");
    }
    return new String(exactly(body, size - LENGTH, head), StandardCharsets.UTF_8);
  }

  private static int number(byte[] length) throws EOFException {
    try {
      return Integer.parseInt(new String(length, StandardCharsets.US_ASCII), HEXADECIMAL);
    } catch (NumberFormatException none) {
      throw new EOFException("not git's protocol");
    }
  }

  private static byte[] exactly(InputStream body, int count, ByteArrayOutputStream head)
      throws IOException {
    byte[] bytes = body.readNBytes(count);
    if (bytes.length < count || head.size() + count > MOST_BYTES) {
      throw new EOFException("a push ended early, or began too long");
    }
    head.writeBytes(bytes);
    return bytes;
  }
}
