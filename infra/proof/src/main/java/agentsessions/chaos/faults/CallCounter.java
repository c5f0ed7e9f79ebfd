package agentsessions.chaos.faults;

import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.ProxyReply;
import agentsessions.chaos.rig.Rig;
import agentsessions.talk.Client;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Counts the AWS calls of each operation on the wire: exact, independent of the machine's load.
public final class CallCounter {
  private final Rig rig;

  public CallCounter(Rig rig) {
    this.rig = rig;
  }

  /// All experiments that are counted, in the order of the report.
  public static List<Experiment> all() {
    List<Experiment> all = new ArrayList<>(Experiment.ofClients());
    all.addAll(Experiment.ofTurns());
    all.add(Experiment.ofQueue());
    all.addAll(WorkExperiments.all());
    all.addAll(RequestExperiments.all());
    return all;
  }

  /// The calls of each experiment's act, by its name and in the order in which they were sent. The
  /// authorizer has cached the key before.
  public Map<String, List<AwsCall>> of(List<Experiment> all) throws Exception {
    Map<String, List<AwsCall>> counted = new LinkedHashMap<>();
    for (Experiment experiment : all) {
      counted.put(experiment.name(), of(experiment));
    }
    return counted;
  }

  /// The calls in a readable form: `GetItem, 3 Query, Transact[6]`, where a transaction has the
  /// number of its items.
  public static String told(List<AwsCall> seen) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (AwsCall call : seen) {
      counts.merge(name(call), 1, Integer::sum);
    }
    return counts.entrySet().stream()
        .map(entry -> (entry.getValue() == 1 ? "" : entry.getValue() + " ") + entry.getKey())
        .collect(Collectors.joining(", "));
  }

  private List<AwsCall> of(Experiment experiment) throws Exception {
    ExperimentRun scene = new ExperimentRun(rig);
    experiment.prepare().run(scene);
    scene.talk.client().get("/me").expect(200);
    List<AwsCall> seen = Collections.synchronizedList(new ArrayList<>());
    for (String mark : scene.marks()) {
      rig.wire().rule(mark, (call, onward) -> counting(seen, call, onward));
    }
    experiment.act().run(scene);
    scene.marks().forEach(rig.wire()::forget);
    return seen;
  }

  private ProxyReply counting(List<AwsCall> seen, AwsCall call, AwsProxy.Onward onward)
      throws IOException, InterruptedException {
    seen.add(call);
    return rig.still(call, onward);
  }

  private static String name(AwsCall call) throws IOException {
    return call.operation().equals("TransactWriteItems")
        ? "Transact[" + Client.JSON.readTree(call.body()).path("TransactItems").size() + "]"
        : call.operation();
  }
}
