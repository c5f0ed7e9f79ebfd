package agentsessions.session.repository;

import java.net.Inet4Address;
import java.net.InetAddress;

/// The rule for addresses of the public network: not this machine's, and none that is private to
/// the network it stands in. (The runner has the same rule for its agents.)
public final class Addresses {
  public static boolean isPublic(InetAddress address) {
    byte[] bytes = address.getAddress();
    int first = bytes[0] & 0xff;
    int second = bytes[1] & 0xff;
    return address instanceof Inet4Address
        ? isPublic(first, second, bytes[2] & 0xff)
        : isGlobalUnicast(first, second, bytes[2] & 0xff);
  }

  /// Outside the special-purpose registry of IPv4: this network, private, shared, loopback,
  /// link-local, protocol assignments, benchmarks, multicast, reserved. And not 168.63.129.16,
  /// which is a public number and in Azure the host of every virtual machine.
  private static boolean isPublic(int first, int second, int third) {
    return switch (first) {
      case 0, 10, 127 -> false;
      case 100 -> second < 64 || second > 127;
      case 168 -> second != 63 || third != 129;
      case 169 -> second != 254;
      case 172 -> second < 16 || second > 31;
      case 192 -> second != 168 && (second != 0 || third != 0);
      case 198 -> second != 18 && second != 19;
      default -> first < 224;
    };
  }

  /// Within `2000::/3`, without the tunnels to IPv4 addresses (Teredo and its like in `2001::/23`,
  /// 6to4 in `2002::/16`).
  private static boolean isGlobalUnicast(int first, int second, int third) {
    boolean assigned = (first & 0xe0) == 0x20;
    boolean tunnel = first == 0x20 && (second == 0x02 || (second == 0x01 && third < 0x02));
    return assigned && !tunnel;
  }

  private Addresses() {}
}
