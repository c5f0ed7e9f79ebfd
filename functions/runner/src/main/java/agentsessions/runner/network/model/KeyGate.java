package agentsessions.runner.network.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The request handler of the key proxy: forwards `/{secret}/{agent}/…` to the handler of the
/// agent's model, as the path below. Without the secret every path is a 404.
final class KeyGate extends Handler.Abstract {
  private final byte[] secret;
  private final Map<String, ModelGate> gates;

  /// @param gates by the agent's name; they check no secret of their own
  KeyGate(String secret, Map<String, ModelGate> gates) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    this.gates = Map.copyOf(gates);
    gates.values().forEach(this::installBean);
  }

  @Override
  public void setServer(Server server) {
    super.setServer(server);
    gates.values().forEach(gate -> gate.setServer(server));
  }

  @Override
  public boolean handle(Request runner, Response answer, Callback callback) {
    String path = String.valueOf(runner.getHttpURI().getPath());
    String[] words = path.split("/", 4);
    @Nullable ModelGate gate = words.length == 4 && isSecret(words[1]) ? gates.get(words[2]) : null;
    if (gate == null) {
      Response.writeError(
          runner, answer, callback, HttpStatus.NOT_FOUND_404, "There is no such address.");
      return true;
    }
    HttpURI below = HttpURI.build(runner.getHttpURI()).path("/" + words[3]).asImmutable();
    return gate.handle(Request.serveAs(runner, below), answer, callback);
  }

  private boolean isSecret(String candidate) {
    return MessageDigest.isEqual(candidate.getBytes(StandardCharsets.UTF_8), secret);
  }
}
