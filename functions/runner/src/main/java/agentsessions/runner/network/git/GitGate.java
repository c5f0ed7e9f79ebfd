package agentsessions.runner.network.git;

import agentsessions.rule.HostAddresses;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.connection.OutboundClient;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The request handler of the git proxy: forwards the requests that git may make to the hosts of a
/// turn's repositories, adds their credentials, and refuses all others in words that git shows.
final class GitGate extends ProxyHandler.Reverse {
  private static final int CONNECTIONS = 16;
  private static final String CALL = GitGate.class.getName() + ".call";
  private static final String REMOTE = GitGate.class.getName() + ".remote";
  private static final String PUSH = GitGate.class.getName() + ".push";

  /// Some hosts answer only clients that call themselves git.
  private static final String AGENT = "git/agent-sessions";

  private static final Set<String> TO_HOST =
      Set.of(
          "accept",
          "accept-encoding",
          "content-encoding",
          "content-length",
          "content-type",
          "git-protocol",
          "pragma",
          "user-agent");
  private static final Set<String> TO_GIT =
      Set.of("content-type", "content-length", "content-encoding", "cache-control", "pragma");

  private final List<GitRemote> remotes;
  private final Addresses addresses;
  private final String prefix;
  private final Duration silence;
  private final GitFailures failures;

  /// @param prefix of all paths; it holds the secret, where there is one
  /// @param silence the idle timeout of a host
  /// @param failures records why connections were cut
  GitGate(
      List<GitRemote> remotes,
      Addresses addresses,
      String prefix,
      Duration silence,
      GitFailures failures) {
    super(org.eclipse.jetty.server.Request::getHttpURI);
    this.remotes = remotes;
    this.addresses = addresses;
    this.prefix = prefix;
    this.silence = silence;
    this.failures = failures;
  }

  @Override
  public boolean handle(org.eclipse.jetty.server.Request git, Response answer, Callback callback) {
    for (GitRemote remote : remotes) {
      Optional<GitCall> call = GitCall.of(git, prefix + "/" + remote.number());
      if (call.isPresent()) {
        git.setAttribute(REMOTE, remote);
        git.setAttribute(CALL, call.get());
        return handle(remote, call.get(), git, answer, callback);
      }
    }
    return say(answer, callback, HttpStatus.NOT_FOUND_404, "There is no such repository here.");
  }

  private boolean handle(
      GitRemote remote,
      GitCall call,
      org.eclipse.jetty.server.Request git,
      Response answer,
      Callback callback) {
    boolean own = remote.isAt(call.repository());
    if (!own && (call.isPush() || !remote.submodules() || !call.isPlain())) {
      return say(
          answer, callback, HttpStatus.FORBIDDEN_403, "This session may not use that repository.");
    }
    if (call.isPush() && remote.pushes().isEmpty()) {
      return say(
          answer,
          callback,
          HttpStatus.FORBIDDEN_403,
          "This session may not push to the repository.");
    }
    // From here on the proxy waits for the host, which has an idle timeout of its own.
    git.addIdleTimeoutListener(_ -> false);
    return call.hasPack()
        ? push(remote, git, answer, callback)
        : super.handle(git, answer, callback);
  }

  private boolean push(
      GitRemote remote, org.eclipse.jetty.server.Request git, Response answer, Callback callback) {
    // The push must be judged in the form in which the host reads it.
    if (git.getHeaders().contains(HttpHeader.CONTENT_ENCODING)) {
      return say(
          answer, callback, HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "A push may have no coding.");
    }
    SessionBranch branch = remote.pushes().orElseThrow();
    try {
      return switch (PushDecision.of(branch, git, refs(remote, git)::ask)) {
        case PushDecision.Onward(org.eclipse.jetty.server.Request whole, PushRequest push) -> {
          git.setAttribute(PUSH, new PushResponse(branch, push));
          yield super.handle(whole, answer, callback);
        }
        case PushDecision.Answered(byte[] body) -> {
          answer.setStatus(HttpStatus.OK_200);
          answer.getHeaders().put(HttpHeader.CONTENT_TYPE, PushRefusal.TYPE);
          answer.write(true, ByteBuffer.wrap(body), callback);
          yield true;
        }
      };
    } catch (IOException noPush) {
      return say(answer, callback, HttpStatus.BAD_REQUEST_400, "That is no push.");
    }
  }

  /// A host's refs as far as they matter to a branch, requested by the runner and not by git.
  ///
  /// @throws IOException if the host does not give them
  RefAdvertisement refs(GitRemote remote, String branch) throws IOException {
    String path = remote.url().getRawPath();
    try {
      return refs(remote, branch, path);
    } catch (GitHostError error) {
      if (error.path().isEmpty()) {
        throw error;
      }
      return refs(remote, branch, path + ".git");
    }
  }

  private RefAdvertisement refs(GitRemote remote, String branch, String path) throws IOException {
    GitCall call = new GitCall(path, "", false, false);
    return new GitHostRefs(getHttpClient(), remote, call, Optional.of(AGENT))
        .ask("refs/heads/" + branch, "");
  }

  private GitHostRefs refs(GitRemote remote, org.eclipse.jetty.server.Request git) {
    Optional<String> userAgent = Optional.ofNullable(git.getHeaders().get(HttpHeader.USER_AGENT));
    return new GitHostRefs(getHttpClient(), remote, call(git), userAgent);
  }

  @Override
  protected HttpURI rewriteHttpURI(org.eclipse.jetty.server.Request git) {
    return HttpURI.build(remote(git).address(call(git)));
  }

  /// Only git's own headers are forwarded, not those that an agent adds.
  @Override
  protected void copyRequestHeaders(org.eclipse.jetty.server.Request git, Request onward) {
    git.getHeaders().stream()
        .filter(field -> TO_HOST.contains(field.getLowerCaseName()))
        .forEach(field -> onward.headers(all -> all.add(field)));
    if (call(git).hasPack()) {
      // The report in the response to a push is read on its way, so it must not be compressed.
      onward.headers(all -> all.put(HttpHeader.ACCEPT_ENCODING, "identity"));
    }
    GitRemote remote = remote(git);
    if (remote.isAt(call(git).repository())) {
      remote
          .authorization()
          .ifPresent(value -> onward.headers(all -> all.put(HttpHeader.AUTHORIZATION, value)));
    }
  }

  @Override
  protected void addProxyHeaders(org.eclipse.jetty.server.Request git, Request onward) {}

  @Override
  protected void sendProxyToServerRequest(
      org.eclipse.jetty.server.Request git, Request onward, Response answer, Callback callback) {
    onward.onResponseHeaders(begun -> {
      if (begun.getStatus() != HttpStatus.OK_200) {
        CompletableFuture<Boolean> _ =
            begun.abort(
                GitHostError.of(begun, remote(git), onward.getURI(), call(git).repository()));
      }
    });
    super.sendProxyToServerRequest(git, onward, answer, callback);
  }

  @Override
  protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
      org.eclipse.jetty.server.Request git, Request onward, Response answer, Callback callback) {
    return git.getAttribute(PUSH) instanceof PushResponse pushResponse
        ? new PushListener(git, onward, answer, callback, pushResponse)
        : super.newServerToProxyResponseListener(git, onward, answer, callback);
  }

  @Override
  protected @Nullable HttpField filterServerToProxyResponseField(HttpField field) {
    return TO_GIT.contains(field.getLowerCaseName()) ? field : null;
  }

  @Override
  protected void onServerToProxyResponseFailure(
      org.eclipse.jetty.server.Request git,
      Request onward,
      org.eclipse.jetty.client.Response answered,
      Response answer,
      Callback callback,
      Throwable failure) {
    if (answer.isCommitted()) {
      if (!(failure instanceof EofException)) { // else git is gone, and knows itself why
        failures.say(failure);
      }
      callback.failed(failure);
      return;
    }
    answer.reset();
    switch (failure) {
      case GitHostError error -> tell(git, answer, callback, error);
      case HostAddresses.Refused refused ->
          say(answer, callback, HttpStatus.FORBIDDEN_403, refused.getMessage() + ".");
      case UnknownHostException unknown ->
          say(answer, callback, HttpStatus.BAD_GATEWAY_502, "The host's name is not known.");
      default -> say(answer, callback, HttpStatus.BAD_GATEWAY_502, failures.say(failure));
    }
  }

  private void tell(
      org.eclipse.jetty.server.Request git,
      Response answer,
      Callback callback,
      GitHostError error) {
    error
        .path()
        .ifPresent(path ->
            answer
                .getHeaders()
                .put(
                    HttpHeader.LOCATION,
                    prefix
                        + "/"
                        + remote(git).number()
                        + path
                        + "?"
                        + git.getHttpURI().getQuery()));
    say(answer, callback, error.status(), String.valueOf(error.getMessage()));
  }

  @Override
  protected HttpClient newHttpClient() {
    return OutboundClient.pinned(addresses);
  }

  @Override
  protected void configureHttpClient(HttpClient client) {
    super.configureHttpClient(client);
    client.setIdleTimeout(silence.toMillis());
    client.setMaxConnectionsPerDestination(CONNECTIONS);
    client.setUserAgentField(null);
  }

  private static GitRemote remote(org.eclipse.jetty.server.Request git) {
    return (GitRemote) git.getAttribute(REMOTE);
  }

  private static GitCall call(org.eclipse.jetty.server.Request git) {
    return (GitCall) git.getAttribute(CALL);
  }

  private static boolean say(Response answer, Callback callback, int status, String text) {
    GitErrorResponses.say(answer, callback, status, text);
    return true;
  }

  /// Forwards the response to a push, and gives a copy of it to the branch.
  private final class PushListener extends ProxyResponseListener {
    private final PushResponse pushResponse;

    PushListener(
        org.eclipse.jetty.server.Request git,
        Request onward,
        Response answer,
        Callback callback,
        PushResponse pushResponse) {
      super(git, onward, answer, callback);
      this.pushResponse = pushResponse;
    }

    @Override
    public void onContent(
        org.eclipse.jetty.client.Response answered, Content.Chunk chunk, Runnable demander) {
      pushResponse.hear(chunk.getByteBuffer().slice());
      super.onContent(answered, chunk, demander);
    }

    /// The branch is updated before git gets the end of the response, since git may push again at
    /// once.
    @Override
    public void onSuccess(org.eclipse.jetty.client.Response answered) {
      pushResponse.end();
      super.onSuccess(answered);
    }
  }
}
