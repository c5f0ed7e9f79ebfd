package agentsessions.runner.network.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/// What becomes of a push: it goes out, or is answered here.
sealed interface PushDecision {

  /// It goes out.
  ///
  /// @param whole again, as it came
  /// @param push what it asks for
  record Onward(Request whole, PushRequest push) implements PushDecision {}

  /// It is answered here.
  ///
  /// @param body of the answer, in git's protocol
  @SuppressWarnings("ArrayRecordComponent") // answers are never compared
  record Answered(byte[] body) implements PushDecision {}

  /// Reads how a push begins; a commit that is to go out is on record afterwards.
  ///
  /// @param host is asked about its refs
  /// @throws IOException if it is no push
  static PushDecision of(OwnBranch branch, Request git, OwnBranch.Host host) throws IOException {
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
      Request git, PushRequest push, OwnBranch branch, OwnBranch.Host host, PackedCommits commits)
      throws IOException {
    Optional<String> why = branch.refusal(push, host, commits::lead);
    InputStream body = commits.whole();
    return why.isEmpty()
        ? new Onward(new PushBody(git, push.head(), body), push)
        : new Answered(
            taken(body, new PushRefusal(push.ref(), why.get(), push.capabilities()).bytes()));
  }

  /// Git hears an answer only once all it sends is taken.
  private static byte[] taken(InputStream rest, byte[] answer) throws IOException {
    try (rest) {
      rest.transferTo(OutputStream.nullOutputStream());
    }
    return answer;
  }
}
