package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.RawHttp;
import agentsessions.chaos.rig.RawHttp.Request;
import agentsessions.chaos.rig.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/// An attacker on this machine without a key that exhausts the ports of a service: with unfinished
/// heads and bodies, with reports under an invented token, and with uploads under a forged
/// signature.
///
/// A round is 1,000 connections to the API, 100 to the runners' port and 200 to the bucket; those
/// of the last two rounds are held.
final class ConnectionFlood implements AutoCloseable {
  private static final String ID = "0198a5d2-1111-7222-8333-123456789abc";
  private static final String TOKEN = "local." + ID + "." + ID + "." + "a".repeat(43);
  private static final int HEADS = 1_000;
  private static final int BODIES = 100;
  private static final int UPLOADS = 200;
  private static final int ROUNDS = 2;

  private static final Request RUNNERS_QUESTION =
      new Request("GET", "/runner/v1/turn", List.of(), "");
  private static final int NOT_LIVE = 409;

  private final int api;
  private final int runners;
  private final int bucket;
  private final HeldConnections held = new HeldConnections();

  /// Finds the ports of a running service.
  ConnectionFlood(ServiceProcess service) throws IOException {
    api = service.base().getPort();
    bucket = service.downloads().getPort();
    runners =
        PortScan.ports(service).stream()
            .filter(port -> PortScan.status(at(port), RUNNERS_QUESTION) == NOT_LIVE)
            .findFirst()
            .orElseThrow();
  }

  private static RawHttp at(int port) {
    return new RawHttp(URI.create("http://127.0.0.1:" + port));
  }

  /// Opens one more round of connections.
  void round() throws IOException {
    held.open(api, HEADS, "GET /rest/v1/health HTTP/1.1\r\nX: " + "x".repeat(6_000));
    held.open(runners, BODIES / 2, head("/runner/v1/claim", 10_000_000) + "x".repeat(1 << 20));
    held.open(runners, BODIES / 2, head("/runner/v1/result", 6_000_000) + "x".repeat(1 << 20));
    held.open(bucket, UPLOADS, upload() + "x".repeat(1 << 20));
    held.keep(ROUNDS * 4);
  }

  @Override
  public void close() throws IOException {
    held.close();
  }

  private static String head(String path, int length) {
    return "POST %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
        .formatted(path, TOKEN, length);
  }

  private static String upload() {
    return """
    PUT /agent-sessions/artifacts/x HTTP/1.1\r
    Host: h\r
    Authorization: AWS4-HMAC-SHA256 Credential=LOCAL0/20260101/us-east-1/s3/aws4_request, \
    SignedHeaders=host, Signature=0\r
    X-Amz-Content-Sha256: %s\r
    Content-Length: 31000000\r
    \r
    """
        .formatted("0".repeat(64));
  }
}
