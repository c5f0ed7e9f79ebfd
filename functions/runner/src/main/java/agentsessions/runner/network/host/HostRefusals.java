package agentsessions.runner.network.host;

import agentsessions.runner.agent.HostRule;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// The transcript's sentences on hosts that an agent was refused, with the operator's setting that
/// would allow them where that is missing; each sentence once, and at most 40 in a turn.
public final class HostRefusals {
  private static final int MOST = 40;

  private final Consumer<String> sentences;
  private final Set<String> reported = new HashSet<>();

  public HostRefusals(Consumer<String> sentences) {
    this.sentences = sentences;
  }

  /// Records the refusal and returns its sentence, which the agent gets as the response.
  String notAllowed(String host, int port) {
    String rule = HostRule.text(host, port);
    return say(
        "The agent may not reach %1$s. Its operator can allow it: %1$s among the `hosts` of its network in agents.yaml, or scripts/start --allow-hosts %1$s."
            .formatted(rule));
  }

  String isPrivate(String host, int port) {
    return say(
        "The agent may not reach %s: it has a private, loopback or link-local address. The operator can allow these: scripts/start --allow-private."
            .formatted(HostRule.text(host, port)));
  }

  String notEncrypted(String host) {
    return say(
        "The agent may not reach http://%s: only https goes out, and only to hosts that its operator allows."
            .formatted(host));
  }

  String tooMany(int most) {
    return say("The agent has %d connections open, and may have no more.".formatted(most));
  }

  String tooMuch(long most) {
    return say(
        "The agent has sent and received %d MiB, and may no more in this turn."
            .formatted(most >> 20));
  }

  synchronized String say(String sentence) {
    if (reported.size() < MOST && reported.add(sentence)) {
      sentences.accept(sentence);
    }
    return sentence;
  }
}
