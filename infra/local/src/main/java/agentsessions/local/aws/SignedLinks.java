package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/// The check of presigned links without the object store. A link is signed again from the values in
/// its own query; the two signatures must be equal.
public final class SignedLinks {
  private static final String SIGNATURE = "X-Amz-Signature";
  private static final int CREDENTIAL_PARTS = 5;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final Credentials own;
  private final Credentials downloads;

  /// @param own the service's credentials, which sign uploads
  /// @param downloads the credentials that sign downloads and nothing else
  public SignedLinks(Credentials own, Credentials downloads) {
    this.own = own;
    this.downloads = downloads;
  }

  /// Whether the signature fits the request and has not expired.
  ///
  /// @param link the link with the host that was signed
  /// @param headers the values of a header by its name
  public boolean isGood(String method, URI link, Function<String, List<String>> headers) {
    try {
      SdkHttpRequest sent = sent(method, link, headers);
      return pair(sent).filter(pair -> isGood(sent, pair)).isPresent();
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException malformed) {
      return false;
    }
  }

  private static SdkHttpRequest sent(
      String method, URI link, Function<String, List<String>> headers) {
    SdkHttpRequest.Builder sent =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.fromValue(method))
            .uri(link)
            .encodedPath(SignatureFilter.canonical(link.getRawPath()));
    Stream.of(parameter(sent.build(), "SignedHeaders").split(";", -1))
        .filter(name -> !name.equals("host"))
        .forEach(name -> sent.putHeader(name, headers.apply(name)));
    return sent.build();
  }

  private Optional<Credentials> pair(SdkHttpRequest sent) {
    String id = credential(sent).getFirst();
    return Stream.of(own, downloads)
        .filter(pair -> pair.accessKeyId().equals(id))
        .filter(pair -> pair.equals(own) || sent.encodedPath().startsWith(ObjectStore.DOWNLOADS))
        .findFirst();
  }

  private boolean isGood(SdkHttpRequest sent, Credentials pair) {
    Instant at = TIME.parse(parameter(sent, "Date"), Instant::from);
    Duration time = Duration.ofSeconds(Long.parseLong(parameter(sent, "Expires")));
    return Instant.now().isBefore(at.plus(time))
        && MessageDigest.isEqual(
            parameter(sent, "Signature").getBytes(UTF_8),
            parameter(signed(sent, pair, at, time), "Signature").getBytes(UTF_8));
  }

  private SdkHttpRequest signed(SdkHttpRequest sent, Credentials pair, Instant at, Duration time) {
    SdkHttpRequest unsigned = sent.toBuilder().removeQueryParameter(SIGNATURE).build();
    return signer
        .sign(as ->
            as.identity(AwsCredentialsIdentity.create(pair.accessKeyId(), pair.secretAccessKey()))
                .request(unsigned)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, credential(sent).get(2))
                .putProperty(AwsV4HttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .putProperty(AwsV4HttpSigner.EXPIRATION_DURATION, time)
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(at, ZoneOffset.UTC)))
        .request();
  }

  /// Key id, day, region, service, and the constant `aws4_request`.
  private static List<String> credential(SdkHttpRequest sent) {
    List<String> parts = List.of(parameter(sent, "Credential").split("/", -1));
    if (parts.size() != CREDENTIAL_PARTS) {
      throw new IllegalArgumentException("not a credential");
    }
    return parts;
  }

  private static String parameter(SdkHttpRequest sent, String what) {
    return sent.firstMatchingRawQueryParameter("X-Amz-" + what).orElse("");
  }
}
