package agentsessions.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The allowed and the refused addresses, given by number, so that no resolver is needed.
class HostAddressesTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private final HostAddresses open = new HostAddresses(false, SOON);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "[::1]",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "::ffff:93.184.215.14",
        "::10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "64:ff9b::7f00:1",
        "2001::1",
        "2002:a00:1::1",
        "2002:7f00:1::",
      })
  void whatIsPrivateIsRefused(String host) {
    assertThrows(HostAddresses.Refused.class, () -> open.of(host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "93.184.215.14",
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.1",
        "168.63.128.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "192.167.1.1",
        "223.255.255.255",
        "2606:2800:21f:cb07::1",
        "[2001:4860:4860::8888]",
      })
  void whatIsPublicIsTheAddressToConnectTo(String host) throws IOException {
    String number = host.replaceAll("[\\[\\]]", "");
    assertArrayEquals(new InetAddress[] {InetAddress.getByName(number)}, open.of(host));
  }

  @Test
  void operatorMayAllowAll() throws IOException {
    HostAddresses all = new HostAddresses(true, SOON);
    assertTrue(all.of("localhost")[0].isLoopbackAddress());
    assertEquals("10.0.0.1", all.of("10.0.0.1")[0].getHostAddress());
  }

  @Test
  void theServicesOwnListenersAreRefusedWhateverIsAllowed() {
    HostAddresses all = new HostAddresses(true, Set.of(8080, 9090), SOON);
    assertTrue(all.refuses("localhost", 9090));
    assertTrue(all.refuses("127.0.0.2", 8080));
    assertFalse(all.refuses("localhost", 9091));
    assertFalse(all.refuses("1.1.1.1", 8080));
  }

  @Test
  void whatIsNotKnownYetIsNotRefused() {
    assertFalse(open.refuses("nobody.invalid", 443));
    assertTrue(open.refuses("10.0.0.1", 443));
  }
}
