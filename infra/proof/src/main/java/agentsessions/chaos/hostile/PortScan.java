package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.RawHttp;
import agentsessions.chaos.rig.RawHttp.Request;
import agentsessions.chaos.rig.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// An attacker on this machine without a key: asks at every port of a service for data that only
/// the service's own parts may have: a runner's next turn, the table, the secret that signs links,
/// the bucket.
///
/// It has only a download link, and presents the access key id in that link everywhere.
final class PortScan {
  private static final String LISTENS = "0A";

  private final ServiceProcess service;
  private final String id;

  /// @param link to any artifact
  PortScan(ServiceProcess service, URI link) {
    this.service = service;
    this.id = link.getQuery().replaceAll(".*X-Amz-Credential=([^/&]*).*", "$1");
  }

  /// The requests that were answered with data, a line each.
  List<String> opened() throws IOException {
    List<String> opened = new ArrayList<>();
    for (int port : ports(service)) {
      RawHttp http = new RawHttp(URI.create("http://127.0.0.1:" + port));
      for (Request request : requests()) {
        int status = status(http, request);
        if (status / 100 == 2) {
          opened.add("port %d: %d for %s".formatted(port, status, request));
        }
      }
    }
    return opened;
  }

  /// The ports on which a service and its children listen.
  static Set<Integer> ports(ServiceProcess service) throws IOException {
    Set<String> sockets = new HashSet<>();
    for (ProcessHandle process : service.processes()) {
      sockets.addAll(sockets(process.pid()));
    }
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("tcp", "tcp6")) {
      Files.readAllLines(Path.of("/proc/" + service.pid() + "/net", table)).stream()
          .skip(1)
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[3].equals(LISTENS) && sockets.contains(words[9]))
          .forEach(words -> ports.add(Integer.parseInt(words[1].split(":", 2)[1], 16)));
    }
    return ports;
  }

  /// The inode numbers of a process's sockets, by which the kernel's tables list them.
  private static Set<String> sockets(long process) {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
      for (Path descriptor : all) {
        sockets.add(
            Files.readSymbolicLink(descriptor).toString().replaceAll("socket:\\[(\\d+)]", "$1"));
      }
    } catch (IOException gone) {
      return sockets;
    }
    return sockets;
  }

  private List<Request> requests() {
    return List.of(
        new Request("GET", "/2018-06-01/runtime/invocation/next", List.of(), ""),
        new Request("GET", "/agent-sessions?list-type=2", List.of(), ""),
        call("dynamodb", "DynamoDB_20120810.Scan", "{\"TableName\": \"agent-sessions\"}"),
        call("secretsmanager", "secretsmanager.GetSecretValue", "{\"SecretId\": \"signing\"}"),
        call("states", "AWSStepFunctions.StopExecution", "{\"executionArn\": \"x\"}"));
  }

  private Request call(String name, String target, String body) {
    String authorization =
        "Authorization: AWS4-HMAC-SHA256 Credential=%s/20260101/us-east-1/%s/aws4_request,"
                .formatted(id, name)
            + " SignedHeaders=host, Signature=0";
    return new Request(
        "POST",
        "/",
        List.of(
            authorization, "X-Amz-Target: " + target, "Content-Type: application/x-amz-json-1.0"),
        body);
  }

  /// The status of the answer; 0 if the connection was closed without one.
  static int status(RawHttp http, Request request) {
    try {
      return http.send(request).status();
    } catch (IOException | AssertionError closed) {
      return 0;
    }
  }
}
