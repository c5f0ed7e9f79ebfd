package agentsessions.turn.catalogue;

import agentsessions.rule.HostAddresses;
import agentsessions.session.Agent;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The policy of this deployment's operator: what sessions may be given.
@Singleton
public final class OperatorPolicy {
  private static final String CONFINED = "bubblewrap";
  private static final Duration TO_RESOLVE = Duration.ofSeconds(5);

  private final HostAddresses hosts;
  private final boolean onOneMachine;
  private final List<String> agentHosts;
  private final boolean git;
  private final boolean secrets;

  /// @param allowPrivate whether hosts with private addresses may be reached, and by plain http
  /// @param ownPorts the ports of this service's own listeners, where they are on this machine;
  ///   with commas
  /// @param git whether the runner has a `git`
  /// @param isolation what keeps an agent in its sandbox
  /// @param trustSecrets whether agents that nothing confines may be given secrets
  /// @param agentHosts the hosts that every agent may reach; with commas
  public OperatorPolicy(
      @Property(name = "allow.private", defaultValue = "false") boolean allowPrivate,
      @Property(name = "own.ports", defaultValue = "") String ownPorts,
      @Property(name = "git.installed", defaultValue = "false") boolean git,
      @Property(name = "isolation", defaultValue = "") String isolation,
      @Property(name = "trust.secrets", defaultValue = "false") boolean trustSecrets,
      @Property(name = "allowed.hosts", defaultValue = "") List<String> agentHosts) {
    this.hosts = new HostAddresses(allowPrivate, numbers(ownPorts), TO_RESOLVE);
    this.onOneMachine = !ownPorts.isEmpty();
    this.agentHosts = agentHosts.stream().filter(host -> !host.isBlank()).toList();
    this.git = git;
    this.secrets = trustSecrets || isolation.equals(CONFINED);
  }

  public boolean privateHosts() {
    return hosts.allowPrivate();
  }

  /// The words on how what is refused could be allowed, to be put after the reason. They are empty
  /// where it is allowed, or where the operator allows it by something else than an option.
  public String unlessPrivate() {
    return privateHosts() || !onOneMachine
        ? ""
        : ", unless the service is started with --allow-private";
  }

  /// What is wrong with a URL, and how it could be allowed, if it could.
  ///
  /// @param rule the fault of a URL, where private hosts are allowed or not
  public Optional<String> fault(String url, BiFunction<String, Boolean, Optional<String>> rule) {
    String unless = rule.apply(url, true).isEmpty() ? unlessPrivate() : "";
    return rule.apply(url, privateHosts()).map(said -> said + unless);
  }

  /// The hosts that every agent may reach.
  public List<String> agentHosts() {
    return agentHosts;
  }

  /// The addresses that this service may itself connect to.
  public HostAddresses hosts() {
    return hosts;
  }

  /// Whether there is a `git` where runners are not tasks.
  public boolean git() {
    return git;
  }

  /// Whether there is a `git` where the agent's turns run: the image of tasks has one.
  public boolean git(Optional<Agent> agent) {
    return git || hasTask(agent);
  }

  /// Whether a secret may be used for an agent: as a credential, for a push, or as a variable.
  public boolean secrets(Optional<Agent> agent) {
    return secrets || hasTask(agent);
  }

  private static Set<Integer> numbers(String ports) {
    return Stream.of(ports.split(","))
        .filter(port -> !port.isEmpty())
        .map(Integer::valueOf)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean hasTask(Optional<Agent> agent) {
    return agent.filter(known -> known.engine().hasTasks()).isPresent();
  }
}
