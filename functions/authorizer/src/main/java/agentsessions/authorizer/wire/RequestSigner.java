package agentsessions.authorizer.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/// The signature of a call (AWS Signature Version 4): a POST to `/` without a query, as all of
/// DynamoDB's are.
///
/// @param host as the `Host` header says it
record RequestSigner(String host, String region) {
  private static final int BLOCK = 64;

  static RequestSigner of(URI address, String region) {
    int port = address.getPort();
    return new RequestSigner(address.getHost() + (port < 0 ? "" : ":" + port), region);
  }

  /// The headers of the signed request, but for `Host`.
  Map<String, String> signed(String target, byte[] body, RoleCredentials credentials, Instant now) {
    String time = compact(now);
    Map<String, String> headers = new TreeMap<>();
    headers.put("content-type", "application/x-amz-json-1.0");
    headers.put("host", host);
    String hash = hex(sha256(body));
    headers.put("x-amz-content-sha256", hash);
    headers.put("x-amz-date", time);
    headers.put("x-amz-target", target);
    if (credentials.sessionToken() != null) {
      headers.put("x-amz-security-token", credentials.sessionToken());
    }
    headers.put("Authorization", authorization(headers, time, hash, credentials));
    headers.remove("host");
    return headers;
  }

  private String authorization(
      Map<String, String> headers, String time, String hash, RoleCredentials credentials) {
    String names = String.join(";", headers.keySet());
    StringBuilder canonical = new StringBuilder("POST\n/\n\n");
    for (Map.Entry<String, String> each : headers.entrySet()) {
      canonical.append(each.getKey()).append(':').append(each.getValue()).append('\n');
    }
    canonical.append('\n').append(names).append('\n').append(hash);
    String scope = time.substring(0, 8) + "/" + region + "/dynamodb/aws4_request";
    String text = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + hex(sha256(bytes(canonical)));
    return "AWS4-HMAC-SHA256 Credential="
        + (credentials.accessKeyId() + "/" + scope)
        + (", SignedHeaders=" + names)
        + (", Signature=" + hex(hmac(key(credentials, scope), bytes(text))));
  }

  private static byte[] key(RoleCredentials credentials, String scope) {
    byte[] key = bytes("AWS4" + credentials.secretAccessKey());
    for (String part : scope.split("/", -1)) {
      key = hmac(key, bytes(part));
    }
    return key;
  }

  /// `20261125T233000Z`.
  private static String compact(Instant now) {
    return now.toString().substring(0, 19).replace("-", "").replace(":", "") + "Z";
  }

  /// HMAC-SHA256 (RFC 2104). The JDK's own would be loaded with the whole of its cryptography,
  /// which takes longer than all else here.
  private static byte[] hmac(byte[] key, byte[] text) {
    byte[] inner = new byte[BLOCK];
    byte[] outer = new byte[BLOCK];
    byte[] padded = key.length > BLOCK ? sha256(key) : key;
    for (int i = 0; i < BLOCK; i++) {
      int each = i < padded.length ? padded[i] : 0;
      inner[i] = (byte) (each ^ 0x36);
      outer[i] = (byte) (each ^ 0x5c);
    }
    return sha256(outer, sha256(inner, text));
  }

  private static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(CharSequence text) {
    return text.toString().getBytes(UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
