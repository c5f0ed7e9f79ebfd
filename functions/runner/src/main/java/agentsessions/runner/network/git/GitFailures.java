package agentsessions.runner.network.git;

import agentsessions.runner.network.connection.OutboundClient;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/// The reasons why the proxy cut connections between git and its hosts, with the name of the limit.
/// Git cannot show them: of a response that has begun it sees only that it ended early.
final class GitFailures {
  private static final long GIB = 1024L * 1024 * 1024;

  /// The most bytes of one request.
  static final long MOST_TO_HOST = 2 * GIB;

  static final long MOST_TO_GIT = 16 * GIB;

  private final Duration silence;
  private final Set<String> sentences = new LinkedHashSet<>();

  /// @param silence the idle timeout of a connection
  GitFailures(Duration silence) {
    this.silence = silence;
  }

  /// The sentence for a failure, which is also recorded.
  synchronized String say(Throwable failure) {
    String sentence = sentence(failure);
    sentences.add(sentence);
    return sentence;
  }

  /// The sentences recorded since the last call.
  synchronized List<String> take() {
    List<String> taken = List.copyOf(sentences);
    sentences.clear();
    return taken;
  }

  private String sentence(Throwable failure) {
    return switch (failure) {
      case TimeoutException _ ->
          "Nothing came from the host, or went to it, for %d seconds, which is as long as a connection may be idle."
              .formatted(silence.toSeconds());
      case SocketTimeoutException _ ->
          "The host could not be reached within %d seconds."
              .formatted(OutboundClient.TO_CONNECT.toSeconds());
      case HttpException large when large.getCode() == HttpStatus.PAYLOAD_TOO_LARGE_413 ->
          "A push may be %d MiB at most.".formatted(MOST_TO_HOST >> 20);
      case HttpException _ ->
          "What is fetched at once may be %d MiB at most.".formatted(MOST_TO_GIT >> 20);
      default -> "The host could not be reached, or ended the connection.";
    };
  }
}
