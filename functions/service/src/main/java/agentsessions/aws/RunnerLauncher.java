package agentsessions.aws;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.TurnKey;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/// A launcher of runners. Whether a runner came, and its result, shows in the table.
public interface RunnerLauncher {
  /// The launch of a runner: the values that it is started with.
  ///
  /// @param ticket by which this attempt alone may claim the turn
  /// @param url of the runner protocol, `…/runner/v1`
  /// @param dispatch and attempt name the launch: the same ones never start two
  record Launch(TurnKey turn, String ticket, String url, int dispatch, int attempt) {
    SessionId session() {
      return turn.sessionId();
    }

    /// Without the ticket, so that no log can hold it.
    @Override
    public String toString() {
      return "launch %d of %s".formatted(attempt, turn.id());
    }
  }

  /// The outcome of a launch.
  sealed interface Launched {
    /// A runner was started, or its start is queued by AWS.
    ///
    /// @param task the ARN by which it can be stopped, where it runs as a task
    record Begun(Optional<String> task) implements Launched {}

    /// A runner may have been started: the response is lost.
    record Unheard() implements Launched {}

    /// No runner was started, since there is no capacity now.
    record NoRoom() implements Launched {}

    /// No runner was started, and none would be by another try: a mistake of the deployment.
    ///
    /// @param why the words of the refusal, without the ticket
    record Refused(String why) implements Launched {}
  }

  Launched launch(Launch launch);

  /// How long a first runner may take from its launch to its claim.
  Duration claimTime();

  /// The outcome of a launch that AWS would refuse again, in its words without the ticket.
  static Launched.Refused refused(Launch launch, AwsServiceException refusal) {
    String words = refusal.getClass().getSimpleName() + ": " + refusal.getMessage();
    return new Launched.Refused(words.replace(launch.ticket(), "***"));
  }
}
