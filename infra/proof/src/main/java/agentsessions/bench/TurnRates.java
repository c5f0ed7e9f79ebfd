package agentsessions.bench;

import agentsessions.chaos.hostile.ProcessorTime;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// New sessions a minute, each of one turn, from clients that wait for its end before they begin
/// the next, and the processor time of such a turn; in turn with the same of others.
final class TurnRates {
  private static final List<Integer> CLIENTS = List.of(1, 4, 16);

  /// OpenHands refuses more than ten turns at once.
  private static final int OPENHANDS_CLIENTS = 4;

  private static final Duration WARMING = Duration.ofSeconds(3);
  private static final Duration TIME = Duration.ofSeconds(6);

  /// Enough for two requests a turn, of which a key allows 100 at once.
  private static final int KEYS = 8;

  /// What one server has done.
  private static final class Rates {
    private final List<Double> perMinute = new ArrayList<>();
    private final List<Double> processorSeconds = new ArrayList<>();

    void add(LoadGenerator.Round round, Duration used) {
      perMinute.add(60 * round.perSecond());
      processorSeconds.add(used.toMillis() / 1e3 / round.times().size());
    }

    /// Empty if nothing was measured.
    String rates() {
      return told("%,.0f", perMinute);
    }

    /// Empty if nothing was measured.
    String costs() {
      return told("%.2f", processorSeconds);
    }

    private static String told(String format, List<Double> figures) {
      return figures.stream()
          .map(figure -> String.format(Locale.ROOT, format, figure))
          .collect(Collectors.joining(" · "));
    }
  }

  private TurnRates() {}

  static void measure(ServiceProcess service, Peers peers, SpeedReport report) throws Exception {
    Rates ours = new Rates();
    Rates opencode = new Rates();
    Rates openhands = new Rates();
    LoadGenerator.Round _ = LoadGenerator.run(4, WARMING, callers(service, 4));
    if (peers.opencode().isPresent()) {
      LoadGenerator.Round _ = LoadGenerator.run(4, WARMING, () -> peers.opencode().get()::turn);
    }
    for (int clients : CLIENTS) {
      run(ours, clients, service::processes, callers(service, clients));
      if (peers.opencode().isPresent()) {
        OpencodeServer peer = peers.opencode().get();
        run(opencode, clients, peer::processes, () -> peer::turn);
      }
      if (peers.openhands().isPresent() && clients <= OPENHANDS_CLIENTS) {
        OpenhandsServer peer = peers.openhands().get();
        run(openhands, clients, peer::processes, () -> peer::turn);
      }
    }
    report.add(
        "new sessions a minute, 1 · 4 · 16 clients",
        ours.rates(),
        Peers.beside(opencode.rates(), openhands.rates()),
        "1,200 · – · 1,500");
    report.add(
        "processor time of such a turn, 1 · 4 · 16 clients, s",
        ours.costs(),
        Peers.beside(opencode.costs(), openhands.costs()),
        "0.06");
  }

  /// A session of one turn, from its creation to its end.
  static void turn(Client client) {
    SessionHandle session = client.create("echo done");
    String events = session.path() + "/threads/" + session.first().id() + "/events";
    String told = client.get(events, "Accept", "text/event-stream").expect(200).body();
    if (!told.contains("event: thread.completed")) {
      throw new AssertionError("not completed: " + told);
    }
  }

  private static void run(
      Rates rates,
      int clients,
      Supplier<List<ProcessHandle>> processes,
      Callable<LoadGenerator.Caller> callers)
      throws Exception {
    Duration before = ProcessorTime.of(processes.get());
    LoadGenerator.Round round = LoadGenerator.run(clients, TIME, callers);
    rates.add(round, ProcessorTime.of(processes.get()).minus(before));
  }

  /// Clients of a workspace each, made before the time runs.
  private static Callable<LoadGenerator.Caller> callers(ServiceProcess service, int count)
      throws IOException {
    ConcurrentLinkedQueue<Client> clients = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < count; i++) {
      clients.add(service.client(Rig.workspace(), KEYS).patient());
    }
    return () -> {
      Client client = clients.remove();
      return () -> turn(client);
    };
  }
}
