package agentsessions.runner.turn;

import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.capture.Baseline;
import agentsessions.runner.capture.RepositoryFolder;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.network.host.HostJudge;
import agentsessions.runner.repository.ScriptRunner;
import agentsessions.runner.sandbox.ClientVariables;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.usage.TurnClock;
import agentsessions.wire.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The preparation of a sandbox for a turn's agent: the message's files, then the session's setup
/// script, if it has not run there yet.
///
/// @param repositories folders whose files are not captured one by one
/// @param io the turn's own folder
/// @param hosts the judge of connections
/// @param clock of the turn's own time
/// @param mask hides secrets
record Preparation(
    Machine machine,
    Claim claim,
    SessionFolder folder,
    List<RepositoryFolder> repositories,
    Path io,
    EventFeed feed,
    HostJudge hosts,
    TurnClock clock,
    Mask mask) {

  /// @throws TurnFailed if a part of it fails; the next turn tries again
  void run(TurnLease lease, Deadline time) throws TurnFailed, IOException, InterruptedException {
    Work work = claim.turn().work();
    if (claim.parked().isPresent()) {
      return; // an earlier runner of the turn has done it, and its agent may have changed the files
    }
    Optional<SetupScript> setup = setup(work);
    if (work == null || (work.files().isEmpty() && setup.isEmpty())) {
      return;
    }
    ScriptRunner scripts = machine.scripts(folder, io, claim.agent(), lease::onLost);
    Baseline baseline = Baseline.begin(folder, claim.agent(), machine.limits(), repositories);
    try {
      new InputFiles(scripts, machine.objects(), machine.limits().folder(), time)
          .write(work.files());
      if (setup.isPresent()) {
        run(setup.get(), scripts, time.nanosLeft(clock, setupTime()));
      }
    } finally {
      baseline.end();
    }
  }

  private Optional<SetupScript> setup(@Nullable Work work) throws IOException {
    if (work == null || work.setup() == null) {
      return Optional.empty();
    }
    SetupScript script = new SetupScript(work.setup(), folder, feed, mask);
    return script.isDone() ? Optional.empty() : Optional.of(script);
  }

  private Duration setupTime() {
    return Collections.min(
        List.of(claim.timeLeft(machine.clock(), clock.held()), SetupScript.MOST));
  }

  /// The script gets the network of the agent without its model.
  private void run(SetupScript script, ScriptRunner scripts, LongSupplier nanosLeft)
      throws TurnFailed, IOException, InterruptedException {
    Sandbox sandbox = machine.sandbox(folder, io, claim.agent());
    NetworkAccess network = machine.network(claim.agent()).hostsOnly();
    try (SandboxProxies proxies = SandboxProxies.toHosts(machine, claim, sandbox, feed, hosts)) {
      AgentEnvironment environment =
          new AgentEnvironment(claim, sandbox, proxies, false, machine.environment());
      ClientVariables clientVariables = environment.clientVariables();
      Map<String, String> variables = new HashMap<>(environment.variables());
      variables.putAll(clientVariables.environment());
      SandboxCommand command =
          new SandboxCommand(
              clientVariables.words(SetupScript.WORDS), network, proxies.portForwards(), "");
      script.run(scripts, command, variables, nanosLeft);
    }
  }
}
