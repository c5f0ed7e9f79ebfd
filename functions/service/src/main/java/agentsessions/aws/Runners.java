package agentsessions.aws;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.TurnKey;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/// What starts runners. Whether one came, and what became of it, shows in the table.
public interface Runners {
  /// What a runner is started with.
  ///
  /// @param ticket claims the turn, by this attempt alone
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

  /// What a launch came to.
  sealed interface Launched {
    /// One was started, or will be where that only waits inside of what starts them.
    ///
    /// @param task by which it can be stopped, where it is known and can be
    record Begun(Optional<String> task) implements Launched {}

    /// One may have been: the answer is lost, and whether it comes will show.
    record Unheard() implements Launched {}

    /// There is no room now, so that none was.
    record NoRoom() implements Launched {}

    /// None was, and none would be by another try: a mistake of the deployment.
    ///
    /// @param why in the words of what refused, without the ticket
    record Refused(String why) implements Launched {}
  }

  Launched launch(Launch launch);

  /// How long a first runner may take from its launch to its claim.
  Duration patience();

  /// What AWS would refuse again, with as much of its words as a log may hold.
  static Launched.Refused refused(Launch launch, AwsServiceException refusal) {
    String words = refusal.getClass().getSimpleName() + ": " + refusal.getMessage();
    return new Launched.Refused(words.replace(launch.ticket(), "***"));
  }
}
