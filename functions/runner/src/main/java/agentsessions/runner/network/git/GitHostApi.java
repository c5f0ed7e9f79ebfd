package agentsessions.runner.network.git;

import agentsessions.rule.HostAddresses;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.connection.OutboundClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.component.LifeCycle;

/// A client for the REST API of a git host. It connects only to addresses that are allowed, and
/// does not follow redirects, since each call carries a credential.
public final class GitHostApi implements AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(20);

  private final HttpClient client;

  public GitHostApi(Addresses addresses) {
    this.client = OutboundClient.pinned(addresses);
    client.setFollowRedirects(false);
    client.setUserAgentField(null);
  }

  /// A host's response; at most 2 MiB of the body is read.
  public record Answer(int status, String body) {}

  /// Makes one call.
  ///
  /// @param authorization the value of the `Authorization` header
  /// @param body JSON, for a call that changes something
  /// @throws IOException if there is no response in time
  public Answer call(
      String method, URI url, String authorization, Optional<String> body, Duration most)
      throws IOException, InterruptedException {
    Duration time = most.compareTo(CALL) < 0 ? most : CALL;
    try {
      client.start();
      Request request =
          client
              .newRequest(url)
              .method(method)
              .timeout(time.toMillis(), TimeUnit.MILLISECONDS)
              .headers(all ->
                  all.put(HttpHeader.AUTHORIZATION, authorization)
                      .put(HttpHeader.ACCEPT, "application/json")
                      .put(HttpHeader.USER_AGENT, "agent-sessions"));
      body.ifPresent(text ->
          request.body(new StringRequestContent("application/json", text, StandardCharsets.UTF_8)));
      ContentResponse answer = request.send();
      return new Answer(answer.getStatus(), answer.getContentAsString());
    } catch (InterruptedException interrupted) {
      throw interrupted;
    } catch (TimeoutException late) {
      throw new IOException("the host did not answer in time", late);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof HostAddresses.Refused refused
          ? refused
          : new IOException("the host could not be reached", failed);
    } catch (Exception failed) {
      throw new IOException("the host could not be called", failed);
    }
  }

  @Override
  public void close() {
    LifeCycle.stop(client);
  }
}
