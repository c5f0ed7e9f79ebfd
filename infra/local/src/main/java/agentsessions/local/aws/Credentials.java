package agentsessions.local.aws;

import agentsessions.local.machine.DataFolder;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/// The pair of keys that stands for an AWS account here: made once for each data folder and kept,
/// since links are signed with it.
///
/// @param accessKeyId letters and digits only, or DynamoDB Local refuses it
public record Credentials(String accessKeyId, String secretAccessKey) {
  private static final String FILE = "aws-credentials";

  public static Credentials of(DataFolder data) {
    String text = data.secret(FILE).filter(kept -> kept.contains(":")).orElseGet(() -> fresh(data));
    int colon = text.indexOf(':');
    return new Credentials(text.substring(0, colon), text.substring(colon + 1));
  }

  private static String fresh(DataFolder data) {
    String text = "LOCAL" + random(8).toUpperCase(Locale.ROOT) + ":" + random(32);
    data.keepSecret(FILE, text);
    return text;
  }

  private static String random(int length) {
    byte[] bytes = new byte[length];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
