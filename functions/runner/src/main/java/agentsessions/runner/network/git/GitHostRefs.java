package agentsessions.runner.network.git;

import agentsessions.rule.HostAddresses;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;

/// A request for a repository's refs, made by the runner right before a push: the sandbox's git may
/// have fetched them long ago, or never.
///
/// @param call a request for the same repository
/// @param userAgent the `User-Agent` that git sent, which some hosts require
record GitHostRefs(HttpClient client, GitRemote remote, GitCall call, Optional<String> userAgent) {
  private static final Duration TIME = Duration.ofSeconds(60);

  /// The refs as far as they matter to a push.
  ///
  /// @throws IOException if the host does not say it
  RefAdvertisement ask(PushRequest push) throws IOException {
    return ask(push.ref(), push.newId());
  }

  /// The refs as far as they matter to this ref and this commit; an empty text stands for none.
  ///
  /// @throws IOException if the host does not say it
  RefAdvertisement ask(String ref, String commit) throws IOException {
    InputStreamResponseListener answer = new InputStreamResponseListener();
    request().send(answer);
    try (InputStream body = answer.getInputStream()) {
      Response begun = answer.get(TIME.toMillis(), TimeUnit.MILLISECONDS);
      if (begun.getStatus() != HttpStatus.OK_200) {
        throw GitHostError.of(begun, remote, begun.getRequest().getURI(), call.repository());
      }
      RefAdvertisement refs = RefAdvertisement.read(body, ref, commit);
      int _ = body.read(); // The end of it, so that the push may go the same way.
      return refs;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("it was not waited for", interrupted);
    } catch (TimeoutException | ExecutionException failed) {
      throw failed.getCause() instanceof HostAddresses.Refused refused
          ? refused
          : new IOException("it does not answer", failed);
    }
  }

  /// Without a word on the protocol's version, for the first one names the default branch and all
  /// refs in one answer.
  private Request request() {
    Request request =
        client
            .newRequest(URI.create(remote.address(call.refs())))
            .timeout(TIME.toMillis(), TimeUnit.MILLISECONDS);
    userAgent.ifPresent(name -> request.headers(all -> all.put(HttpHeader.USER_AGENT, name)));
    remote
        .authorization()
        .ifPresent(value -> request.headers(all -> all.put(HttpHeader.AUTHORIZATION, value)));
    return request;
  }
}
