package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The parsing of hosts' responses in git's protocol: refs, and the outcome of a push.
class PacketsOfHostsTest {
  private static final String REF = "refs/heads/agent/work";
  private static final String ONE = "1".repeat(40);
  private static final String TWO = "2".repeat(40);
  private static final String SERVICE = packet("# service=git-upload-pack\n") + "0000";
  private static final String TAKEN =
      packet("unpack ok\n") + packet("ok %s\n".formatted(REF)) + "0000";

  @Test
  void refsNameTheDefaultBranchTheHeadAndWhetherTheCommitIsThere() throws IOException {
    String first = packet(ONE + " HEAD\0multi_ack symref=HEAD:refs/heads/main agent=git/2\n");
    String refs = first + packet("%s %s\n".formatted(TWO, REF)) + packet("shallow " + ONE + "\n");
    assertEquals(
        new RefAdvertisement(Optional.of("refs/heads/main"), Optional.of(TWO), true),
        advertisement(SERVICE + refs + "0000", TWO));
    assertEquals(
        new RefAdvertisement(Optional.of("refs/heads/main"), Optional.of(TWO), false),
        advertisement(SERVICE + refs + "0000", "3".repeat(40)));
  }

  @Test
  void anEmptyRepositoryHasNoRefs() throws IOException {
    String none = packet("0".repeat(40) + " capabilities^{}\0multi_ack\n");
    assertEquals(
        new RefAdvertisement(Optional.empty(), Optional.empty(), false),
        advertisement(SERVICE + none + "0000", ONE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "0000",
        "001e# service=git-upload-pack\n",
        "001e# service=git-upload-pack\n0000",
        "001e# service=git-upload-pack\n0000000eversion 2\n0000",
        "001e# service=git-upload-pack\n00000001",
        "001e# service=git-upload-pack\n0000ERR no",
      })
  void anythingElseIsNoListOfRefs(String body) {
    assertThrows(IOException.class, () -> advertisement(body, ONE));
  }

  @Test
  void aReportIsReadBetweenMessagesAndWithoutThem() {
    assertEquals(PushReport.TAKEN, report(TAKEN, "report-status"));
    String message = packet("\2remote: thank you\n");
    String pieces = packet("\1" + TAKEN.substring(0, 7)) + message;
    String banded = message + pieces + packet("\1" + TAKEN.substring(7)) + "0000";
    assertEquals(PushReport.TAKEN, report(banded, "report-status-v2", "side-band-64k"));
    String refused = packet("unpack ok\n") + packet("ng %s no\n".formatted(REF)) + "0000";
    assertEquals(PushReport.REFUSED, report(refused, "report-status"));
    String failed = packet("unpack error\n") + packet("ng %s no\n".formatted(REF)) + "0000";
    assertEquals(PushReport.REFUSED, report(failed, "report-status"));
  }

  @Test
  void whatIsNoReportOfThisRefSaysNothing() {
    assertEquals(PushReport.UNKNOWN, report(TAKEN, "side-band-64k"));
    assertEquals(PushReport.UNKNOWN, report(TAKEN, "report-status", "side-band-64k"));
    assertEquals(PushReport.UNKNOWN, report("", "report-status"));
    assertEquals(
        PushReport.UNKNOWN, report(TAKEN.substring(0, TAKEN.length() - 4), "report-status"));
    assertEquals(
        PushReport.UNKNOWN, report(TAKEN.replace("agent/work", "agent/bork"), "report-status"));
    String said = TAKEN.replaceFirst("0000$", packet("option refname refs/heads/other\n"));
    assertEquals(PushReport.UNKNOWN, report(said + "0000", "report-status-v2"));
    String message = packet("\2" + TAKEN) + "0000";
    assertEquals(PushReport.UNKNOWN, report(message, "report-status", "side-band-64k"));
  }

  private static RefAdvertisement advertisement(String body, String commit) throws IOException {
    return RefAdvertisement.read(new ByteArrayInputStream(bytes(body)), REF, commit);
  }

  private static PushReport report(String answer, String... capabilities) {
    PushRequest push = new PushRequest(new byte[0], ONE, TWO, REF, Set.of(capabilities));
    return PushReport.of(bytes(answer), push);
  }

  private static String packet(String text) {
    return "%04x%s".formatted(text.length() + 4, text);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
