package agentsessions.runner.network.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// The decision on a push: it is forwarded to the host, or answered by the proxy.
sealed interface PushDecision {

  /// The push is forwarded.
  ///
  /// @param whole the request with its whole body
  /// @param push the change that it asks for
  record Onward(Request whole, PushRequest push) implements PushDecision {}

  /// The push is answered by the proxy.
  ///
  /// @param body of the response, in git's protocol
  @SuppressWarnings("ArrayRecordComponent") // answers are never compared
  record Answered(byte[] body) implements PushDecision {}

  /// Reads the beginning of a push and decides; the commit of a forwarded push is recorded
  /// afterwards.
  ///
  /// @param host gives the current refs
  /// @throws IOException if the request is not a push
  static PushDecision of(SessionBranch branch, Request git, SessionBranch.Host host)
      throws IOException {
    InputStream body = Content.Source.asInputStream(git);
    try {
      Optional<PushRequest> push = PushRequest.read(body);
      return push.isPresent()
          ? decided(git, push.get(), branch, host, new PackedCommits(body))
          : new Answered(taken(body, new byte[0]));
    } catch (PushRequest.Refused refused) {
      String ref = "refs/heads/" + branch.name();
      return new Answered(
          taken(
              body,
              new PushRefusal(ref, String.valueOf(refused.getMessage()), refused.capabilities())
                  .bytes()));
    }
  }

  private static PushDecision decided(
      Request git,
      PushRequest push,
      SessionBranch branch,
      SessionBranch.Host host,
      PackedCommits commits)
      throws IOException {
    Optional<String> why = branch.refusal(push, host, commits);
    InputStream body = commits.whole();
    return why.isEmpty()
        ? new Onward(new PushBody(git, push.head(), body), push)
        : new Answered(
            taken(body, new PushRefusal(push.ref(), why.get(), push.capabilities()).bytes()));
  }

  /// Git reads a response only after it has sent its whole request.
  private static byte[] taken(InputStream rest, byte[] answer) throws IOException {
    try (rest) {
      rest.transferTo(OutputStream.nullOutputStream());
    }
    return answer;
  }
}
