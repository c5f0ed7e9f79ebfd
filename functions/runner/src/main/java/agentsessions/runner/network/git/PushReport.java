package agentsessions.runner.network.git;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The outcome of a push on its host, read from the status report of git's protocol.
enum PushReport {
  /// The host updated the ref.
  TAKEN,
  /// The host refused the update.
  REFUSED,
  /// There is no report, or it says anything else.
  UNKNOWN;

  private static final byte REPORT = 1;

  /// @param answer the host's whole response
  static PushReport of(byte[] answer, PushRequest push) {
    if (!push.asksForReport()) {
      return UNKNOWN;
    }
    try {
      byte[] report = push.capabilities().contains("side-band-64k") ? report(answer) : answer;
      return of(lines(report), push.ref());
    } catch (IOException noReport) {
      return UNKNOWN;
    }
  }

  /// A host that did anything beyond the request reports it in further lines.
  private static PushReport of(List<String> lines, String ref) {
    if (lines.equals(List.of("unpack ok", "ok " + ref))) {
      return TAKEN;
    }
    return lines.stream().anyMatch(line -> line.startsWith("ng " + ref + " ")) ? REFUSED : UNKNOWN;
  }

  /// The report's band of a multiplexed response, joined from pieces of any size between messages
  /// for people.
  private static byte[] report(byte[] answer) throws IOException {
    InputStream packets = new ByteArrayInputStream(answer);
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    for (Optional<byte[]> packet = Packets.next(packets);
        packet.isPresent();
        packet = Packets.next(packets)) {
      byte[] content = packet.get();
      if (content.length > 0 && content[0] == REPORT) {
        report.write(content, 1, content.length - 1);
      }
    }
    return report.toByteArray();
  }

  private static List<String> lines(byte[] report) throws IOException {
    InputStream packets = new ByteArrayInputStream(report);
    List<String> lines = new ArrayList<>();
    for (Optional<String> line = Packets.line(packets);
        line.isPresent();
        line = Packets.line(packets)) {
      lines.add(line.get());
    }
    return lines;
  }
}
