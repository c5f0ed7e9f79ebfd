package agentsessions.runner.network.git;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/// The response to a push that is not forwarded, in git's protocol, so that git shows the reason.
///
/// @param ref the ref that was to be changed
/// @param why the reason as a sentence
/// @param capabilities the capabilities of the sender
record PushRefusal(String ref, String why, Set<String> capabilities) {
  static final String TYPE = "application/x-git-receive-pack-result";

  private static final String END = "0000";
  private static final char REPORT = 1;
  private static final char MESSAGE = 2;

  byte[] bytes() {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] report = report();
    if (capabilities.contains("side-band-64k")) {
      answer.writeBytes(packet(with(MESSAGE, text("refused: " + why + "\n"))));
      answer.writeBytes(packet(with(REPORT, report)));
      answer.writeBytes(text(END));
    } else {
      answer.writeBytes(report);
    }
    return answer.toByteArray();
  }

  private byte[] report() {
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    report.writeBytes(packet(text("unpack ok\n")));
    report.writeBytes(packet(text("ng %s %s\n".formatted(ref, why))));
    report.writeBytes(text(END));
    return report.toByteArray();
  }

  private static byte[] packet(byte[] content) {
    byte[] length = text("%04x".formatted(content.length + END.length()));
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.writeBytes(length);
    packet.writeBytes(content);
    return packet.toByteArray();
  }

  private static byte[] with(char band, byte[] content) {
    ByteArrayOutputStream banded = new ByteArrayOutputStream();
    banded.write(band);
    banded.writeBytes(content);
    return banded.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
