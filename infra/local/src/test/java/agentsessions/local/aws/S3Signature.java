package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// An independent implementation of S3's request signing, written from its documentation
/// ("Authenticating Requests: Using Query Parameters", "Signature Calculations for the
/// Authorization Header", both of Signature Version 4) and from no library's code.
record S3Signature(Credentials pair, String host, Instant now) {
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /// A request to sign, with raw path and query.
  record Request(String method, String path, String query, Map<String, String> headers) {}

  String time() {
    return TIME.format(now);
  }

  private String scope() {
    return time().substring(0, 8) + "/us-east-1/s3/aws4_request";
  }

  /// A presigned link, valid for five minutes, with an unsigned body.
  URI link(Request request) {
    SortedMap<String, String> headers = signed(request.headers());
    List<String> query = new ArrayList<>();
    if (!request.query().isEmpty()) {
      query.add(request.query());
    }
    query.add("X-Amz-Algorithm=" + ALGORITHM);
    query.add("X-Amz-Credential=" + encoded(pair.accessKeyId() + "/" + scope()));
    query.add("X-Amz-Date=" + time());
    query.add("X-Amz-Expires=300");
    query.add("X-Amz-SignedHeaders=" + encoded(String.join(";", headers.keySet())));
    String signature = signature(request, String.join("&", query), headers, UNSIGNED);
    return URI.create(
        "http://%s%s?%s&X-Amz-Signature=%s"
            .formatted(host, request.path(), String.join("&", query), signature));
  }

  /// The headers that sign a request.
  ///
  /// @param payload the hash of the body, or the constant in its place
  Map<String, String> headers(Request request, String payload) {
    Map<String, String> added = new TreeMap<>(request.headers());
    added.put("x-amz-date", time());
    added.put("x-amz-content-sha256", payload);
    SortedMap<String, String> headers = signed(added);
    String signature = signature(request, request.query(), headers, payload);
    added.put(
        "Authorization",
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(
                ALGORITHM,
                pair.accessKeyId(),
                scope(),
                String.join(";", headers.keySet()),
                signature));
    return added;
  }

  /// A body of one chunk and the final empty chunk, each with a signature that depends on the
  /// previous one.
  ///
  /// @param before the signature of the headers
  String chunks(String body, String before) {
    String first = chunk(body, before);
    return "%x;chunk-signature=%s\r\n%s\r\n0;chunk-signature=%s\r\n\r\n"
        .formatted(body.getBytes(UTF_8).length, first, body, chunk("", first));
  }

  private String chunk(String body, String before) {
    return hex(
        hmac(
            key(),
            String.join(
                "\n", ALGORITHM + "-PAYLOAD", time(), scope(), before, sha256(""), sha256(body))));
  }

  private String signature(
      Request request, String query, SortedMap<String, String> headers, String payload) {
    String canonical =
        String.join(
            "\n",
            request.method(),
            canonicalPath(request.path()),
            canonicalQuery(query),
            headers.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                .collect(Collectors.joining()),
            String.join(";", headers.keySet()),
            payload);
    return hex(hmac(key(), String.join("\n", ALGORITHM, time(), scope(), sha256(canonical))));
  }

  private SortedMap<String, String> signed(Map<String, String> headers) {
    SortedMap<String, String> signed = new TreeMap<>();
    headers.forEach((name, value) ->
        signed.put(name.toLowerCase(Locale.ROOT), value.strip().replaceAll(" +", " ")));
    signed.put("host", host);
    return signed;
  }

  private static String canonicalPath(String path) {
    return Stream.of(path.split("/", -1))
        .map(part -> encoded(decoded(part)))
        .collect(Collectors.joining("/"));
  }

  private static String canonicalQuery(String query) {
    return Stream.of(query.split("&", -1))
        .filter(pair -> !pair.isEmpty())
        .map(pair -> (pair.contains("=") ? pair : pair + "=").split("=", 2))
        .map(pair -> List.of(encoded(decoded(pair[0])), encoded(decoded(pair[1]))))
        .sorted(Comparator.comparing(List<String>::getFirst).thenComparing(List::getLast))
        .map(pair -> String.join("=", pair))
        .collect(Collectors.joining("&"));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  static String sha256(String text) {
    try {
      return hex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] key() {
    byte[] key = ("AWS4" + pair.secretAccessKey()).getBytes(UTF_8);
    for (String part : scope().split("/", -1)) {
      key = hmac(key, part);
    }
    return key;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
