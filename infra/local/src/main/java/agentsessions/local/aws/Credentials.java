package agentsessions.local.aws;

import agentsessions.local.machine.DataFolder;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/// An AWS access key pair of the stand-ins. There are two: the service's own, and one for download
/// links, whose key id is visible in every link and which therefore may read artifacts only.
///
/// @param accessKeyId letters and digits only, or DynamoDB Local refuses it
public record Credentials(String accessKeyId, String secretAccessKey) {
  private static final String FILE = "aws-credentials";

  /// The pair that signs download links: made once for each data folder and kept, since links must
  /// survive a restart.
  public static Credentials ofLinks(DataFolder data) {
    String text = data.secret(FILE).filter(kept -> kept.contains(":")).orElseGet(() -> kept(data));
    int colon = text.indexOf(':');
    return new Credentials(text.substring(0, colon), text.substring(colon + 1));
  }

  /// A new pair. The service's own is made at each start.
  static Credentials fresh() {
    return new Credentials("LOCAL" + random(8).toUpperCase(Locale.ROOT), random(32));
  }

  /// Leaves the secret out, so that no log can hold it.
  @Override
  public String toString() {
    return accessKeyId;
  }

  private static String kept(DataFolder data) {
    Credentials pair = fresh();
    String text = pair.accessKeyId + ":" + pair.secretAccessKey;
    data.keepSecret(FILE, text);
    return text;
  }

  private static String random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
