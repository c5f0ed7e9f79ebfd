package agentsessions.turn.exploration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryTable;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of the test: each guard taken away, the exploration finds what goes wrong.
class GuardsTest {
  private static final long SEED = 1;
  private static final int RUNS = 6000;
  private static final int DEVIATIONS = 4;

  /// The scenario in which a missing guard shows, and the number of a random run in which it does
  /// today: the search begins there, and takes its full length where the code has changed since.
  private record Place(String scenario, long seed) {}

  /// The clauses whose absence shows, each with its scenario.
  private static final Map<String, Place> NEEDED =
      Map.ofEntries(
          Map.entry(
              "BEGIN META #turn_seq = :seen",
              new Place("a follow-up that waits and one that does not", 54)),
          Map.entry(
              "BEGIN META #waiting = :waiting",
              new Place("a follow-up that waits is cancelled", 14)),
          Map.entry(
              "CANCEL META attribute_not_exists ( #waiting )",
              new Place("cancel and delete while a follow-up waits", 55)),
          Map.entry(
              "DELETE META attribute_not_exists ( #waiting )",
              new Place("cancel and delete while a follow-up waits", 127)),
          Map.entry(
              "FOLLOW_UP META attribute_not_exists ( #waiting )",
              new Place("a follow-up that waits and one that does not", 47)),
          Map.entry(
              "QUEUE META #archived = :archived", new Place("archive while a follow-up waits", 13)),
          Map.entry(
              "QUEUE META #turn_seq = :seen",
              new Place("a follow-up that waits and one that does not", 32)),
          Map.entry(
              "QUEUE META #waiting = :waiting",
              new Place("a follow-up that waits is cancelled", 86)),
          Map.entry(
              "QUEUE META attribute_not_exists ( #waiting )",
              new Place("a follow-up that waits is cancelled", 1)),
          Map.entry(
              "UNQUEUE META #waiting = :waiting",
              new Place("a follow-up that waits is cancelled", 64)),
          Map.entry(
              "CANCEL T #status IN ( :queued , :running )",
              new Place("cancel while a runner works", 8)),
          Map.entry(
              "CHANGE META attribute_not_exists ( #deleted )",
              new Place("delete, cancel and archive", 2)),
          Map.entry(
              "CLAIM BOX attribute_not_exists ( #holder )",
              new Place("a sandbox that is not let go", 703)),
          Map.entry("CLAIM T #status = :queued", new Place("a follow-up while a turn runs", 1)),
          Map.entry("CLOSE T #last_ts < :ts", new Place("a sweep while an agent begins", 597)),
          Map.entry(
              "CLOSE T #lease_until = :seen_lease", new Place("a sweep while an agent works", 97)),
          Map.entry(
              "CLOSE T #status = :seen_status", new Place("cancel while a runner works", 1189)),
          Map.entry("COMPLETE BOX #holder = :turn", new Place("a late release", 140)),
          Map.entry(
              "CREATE IDEM attribute_not_exists ( #PK ) OR #expires_at <= :now",
              new Place("a create that is sent twice", 1)),
          Map.entry("END T #status = :running", new Place("cancel while a runner works", 91)),
          Map.entry("EVENTS T #events = :from", new Place("two attempts of one turn", 353)),
          Map.entry("EVENTS T #status = :running", new Place("cancel while a runner works", 20)),
          Map.entry("FOLLOW_UP META #archived = :archived", new Place("archive and follow-up", 27)),
          Map.entry(
              "FOLLOW_UP META #turn_seq = :seen", new Place("two follow-ups after a turn", 41)),
          Map.entry(
              "FOLLOW_UP META attribute_not_exists ( #deleted )",
              new Place("delete and follow-up after a turn", 9)),
          Map.entry("FOLLOW_UP T #last_ts < :before", new Place("delete after a follow-up", 74)),
          Map.entry(
              "FOLLOW_UP T #status IN ( :queued , :running )",
              new Place("a follow-up while a turn runs", 5)),
          Map.entry(
              "FOLLOW_UP META attribute_not_exists ( #permissions )",
              new Place("permissions change at a follow-up after a turn", 26)),
          Map.entry(
              "FOLLOW_UP META #permissions = :permissions",
              new Place("permissions change at a follow-up after a turn", 27)),
          Map.entry(
              "BEGIN META attribute_not_exists ( #permissions )",
              new Place("permissions change while a follow-up waits", 163)),
          Map.entry(
              "BEGIN META #permissions = :permissions",
              new Place("permissions change while a follow-up waits", 19)),
          Map.entry(
              "DECIDE_PLAN META #permissions = :permissions",
              new Place("permissions change at a decision on a push", 1)),
          Map.entry("LAUNCH T #status = :queued", new Place("a follow-up while a turn runs", 9)),
          Map.entry("OPEN BOX #holder = :turn", new Place("a late release", 224)),
          Map.entry("RELEASE BOX #holder = :turn", new Place("a late release", 69)),
          Map.entry("RENEW_LOCK BOX #holder = :turn", new Place("a late renewal", 29)),
          Map.entry("RENEW T #status = :running", new Place("cancel while a runner works", 5)),
          Map.entry(
              "SETTLE BOX #lease_until = :seen_lease",
              new Place("cancel while a runner works", 70)),
          Map.entry(
              "SETTLE BOX attribute_not_exists ( #snapshot )",
              new Place("a sandbox that arrives late", 1134)),
          Map.entry(
              "STANDBY STANDBY #until > :now", new Place("a follow-up while a task waits", 66)),
          Map.entry(
              "ASK D attribute_not_exists ( #PK )",
              new Place("two decide while an agent waits", 162)),
          Map.entry(
              "ASK T #status = :running", new Place("cancel and delete while an agent waits", 1)),
          Map.entry(
              "CANCEL D #status = :pending",
              new Place("cancel and delete while an agent waits", 270)),
          Map.entry(
              "CANCEL T attribute_not_exists ( #request )",
              new Place("cancel and delete while an agent waits", 1538)),
          Map.entry(
              "DECIDE D #status = :pending", new Place("two decide while an agent waits", 23)),
          Map.entry(
              "DELETE D #status = :pending",
              new Place("cancel and delete while an agent waits", 540)),
          Map.entry(
              "DELETE T attribute_not_exists ( #request )",
              new Place("cancel and delete while an agent waits", 664)),
          Map.entry(
              "EXPIRE D #status = :pending", new Place("two decide while an agent waits", 238)),
          Map.entry(
              "FOLLOW_UP D #status = :pending", new Place("a follow-up while an agent waits", 169)),
          Map.entry(
              "FOLLOW_UP T attribute_not_exists ( #request )",
              new Place("a follow-up while an agent waits", 176)),
          Map.entry(
              "CANCEL T attribute_not_exists ( #parked )",
              new Place("cancel and delete while a turn is parked", 26)),
          Map.entry(
              "FOLLOW_UP T attribute_not_exists ( #parked )",
              new Place("a follow-up while a turn is parked", 13)),
          Map.entry(
              "PARK T #request = :request", new Place("two decide while a turn is parked", 37)),
          Map.entry(
              "REQUEUE T #status = :running", new Place("two decide while a turn is parked", 1237)),
          Map.entry("WAIT T #status = :queued", new Place("two follow-ups at once", 574)),
          Map.entry(
              "ACCEPT_JOB META attribute_not_exists ( #deleted )",
              new Place("delete while a pull request is made", 9)),
          Map.entry(
              "ACCEPT_JOB META #updated = :seen_updated", new Place("two pull requests", 804)),
          Map.entry(
              "FOLLOW_UP META #updated = :seen_updated",
              new Place("a follow-up while a pull request is made", 119)),
          Map.entry(
              "DELETE META attribute_not_exists ( #job )",
              new Place("delete while a pull request is made", 98)),
          Map.entry(
              "DELETE META attribute_not_exists ( #plan )",
              new Place("delete while a pull request asks", 119)));

  /// Clauses of which each implies another: only together they are needed.
  private static final Map<String, Place> TOGETHER =
      Map.of(
          "ACCEPT_JOB META *", new Place("two pull requests", 15),
          "DELETE META *", new Place("delete and follow-up after a turn", 33),
          "PARK T *", new Place("two decide while a turn is parked", 7),
          "REDISPATCH T *", new Place("two dispatches of one turn", 8),
          "SETTLE BOX *", new Place("cancel while a runner works", 15));

  /// Clauses whose absence shows nowhere here, each with the reason.
  private static final Set<String> UNNEEDED =
      Set.of(
          // What is written has a key that nobody else has: a random id, or a stamp of one's own.
          "CREATE META attribute_not_exists ( #PK )",
          "CREATE T attribute_not_exists ( #PK )",
          "CREATE U attribute_not_exists ( #PK )",
          "CREATE M attribute_not_exists ( #PK )",
          "CREATE ACTIVE attribute_not_exists ( #PK )",
          "CREATE WORK attribute_not_exists ( #PK )",
          "ACCEPT_JOB T attribute_not_exists ( #PK )",
          "DECIDE_PLAN T attribute_not_exists ( #PK )",
          "DECIDE_PLAN U attribute_not_exists ( #PK )",
          "DECIDE_PLAN M attribute_not_exists ( #PK )",
          "FOLLOW_UP T attribute_not_exists ( #PK )",
          "FOLLOW_UP U attribute_not_exists ( #PK )",
          "FOLLOW_UP M attribute_not_exists ( #PK )",
          "QUEUE T attribute_not_exists ( #PK )",
          "QUEUE Q attribute_not_exists ( #PK )",
          "QUEUE WORKING attribute_not_exists ( #PK )",
          "BEGIN U attribute_not_exists ( #PK )",
          "BEGIN M attribute_not_exists ( #PK )",
          "EVENTS P attribute_not_exists ( #PK )",
          "EVENTS C attribute_not_exists ( #PK )",
          "EVENTS M attribute_not_exists ( #PK )",
          "END F attribute_not_exists ( #PK )",
          "END M attribute_not_exists ( #PK )",
          "END R attribute_not_exists ( #PK )",
          "CLOSE F attribute_not_exists ( #PK )",
          "CLOSE M attribute_not_exists ( #PK )",
          // A turn that is live is the current one of a session that is not deleted.
          "CANCEL META #current = :current",
          "CANCEL META attribute_not_exists ( #deleted )",
          "END META #current = :turn",
          "CLOSE META #current = :turn",
          "UNQUEUE META #current = :current",
          // The same of a job.
          "END META #job = :job",
          "CLOSE META #job = :job",
          "DELETE META #job = :job",
          // Whatever begins, waits or asks for a session with repositories, which alone has jobs,
          // leaves another time of its last change.
          "ACCEPT_JOB META #turn_seq = :seen",
          "ACCEPT_JOB META #working = :working",
          "ACCEPT_JOB META attribute_not_exists ( #job )",
          "ACCEPT_JOB META attribute_not_exists ( #plan )",
          "ACCEPT_JOB META attribute_not_exists ( #waiting )",
          "ACCEPT_JOB IDEM attribute_not_exists ( #PK ) OR #expires_at <= :now",
          "FOLLOW_UP META attribute_not_exists ( #job )",
          "FOLLOW_UP META attribute_not_exists ( #plan )",
          "DELETE T #status IN ( :queued , :running )",
          // A request is pending as long as its turn runs and waits for it; that is asked for.
          "ASK META #current = :turn",
          "ASK T #fence = :fence",
          "ASK T attribute_not_exists ( #request )",
          "DECIDE T #status = :running",
          "DECIDE T #fence = :fence",
          "EXPIRE T #status = :running",
          "EXPIRE T #fence = :fence",
          // A plan is decided on or closed together with its session's turns, or its mark there:
          // each condition says of the other that nobody was faster.
          "DECIDE_PLAN D #status = :pending",
          "DECIDE_PLAN META #turn_seq = :seen",
          "EXPIRE_PLAN D #status = :pending",
          "EXPIRE_PLAN META #plan = :plan",
          "BEGIN D #status = :pending",
          "DECIDE_PLAN META #last_ts < :ts",
          "DECIDE_PLAN META #archived = :archived",
          "DECIDE_PLAN META attribute_not_exists ( #deleted )",
          "DECIDE_PLAN META attribute_not_exists ( #waiting )",
          "DECIDE_PLAN META #waiting = :waiting",
          // A turn has one plan to decide on, and ends once.
          "END D attribute_not_exists ( #PK )",
          "DECIDE T #status = :parked",
          // It is held for the request, which whatever ends it closes.
          "PARK T #status = :running",
          "PARK T #fence = :fence",
          "REQUEUE T #fence = :fence",
          // A runner that parks its turn asks for nothing more.
          "REQUEUE T attribute_not_exists ( #request )",
          // It has the sandbox as long as its turn lives.
          "PARK BOX #holder = :turn",
          "PARK BOX #fence = :fence",
          "PARK BOX attribute_not_exists ( #next )",
          "REQUEUE BOX #holder = :turn",
          "REQUEUE BOX #fence = :fence",
          "REQUEUE BOX attribute_not_exists ( #next )",
          // Whether whoever ends a turn must settle it: ParkingTest has each of these races.
          "CANCEL T #status = :paused",
          "CANCEL T #parked = :parked",
          "DELETE T #status = :paused",
          "DELETE T #parked = :parked",
          "DELETE T attribute_not_exists ( #parked )",
          "FOLLOW_UP T #status = :paused",
          "FOLLOW_UP T #parked = :parked",
          // A turn is settled while it is live by nobody.
          "CANCEL T attribute_not_exists ( #settled )",
          "DELETE T attribute_not_exists ( #settled )",
          "FOLLOW_UP T attribute_not_exists ( #settled )",
          // A runner reports when it has its answer; when its lease is over, so is the time to
          // decide.
          "END D #status = :pending",
          "CLOSE D #status = :pending",
          "END T attribute_not_exists ( #request )",
          "CLOSE T attribute_not_exists ( #request )",
          // A session says which turns wait, and one that is deleted has none.
          "BEGIN T attribute_exists ( #waits )",
          "BEGIN META attribute_not_exists ( #deleted )",
          "CANCEL T attribute_exists ( #waits )",
          "CANCEL META #waiting = :waiting",
          "DELETE T attribute_exists ( #waits )",
          "DELETE META #waiting = :waiting",
          "UNQUEUE T attribute_exists ( #waits )",
          "UNQUEUE META attribute_not_exists ( #deleted )",
          "QUEUE META attribute_not_exists ( #deleted )",
          // The first that waits shows it; with more it is no different.
          "FOLLOW_UP META #waiting = :waiting",
          // No job is accepted while a turn waits. One that a person allows begins with the end of
          // the request, which is closed besides.
          "BEGIN META attribute_not_exists ( #job )",
          "BEGIN META attribute_not_exists ( #plan )",
          "BEGIN META #plan = :plan",
          "FOLLOW_UP META #plan = :plan",
          "DELETE META #plan = :plan",
          // There is no job while a plan waits.
          "DECIDE_PLAN META attribute_not_exists ( #job )",
          "DECIDE_PLAN META #plan = :plan",
          // Without it a turn would begin late, by the sweep.
          "QUEUE META #working = :working",
          // What is put off after it has ended is not looked at.
          "WAIT T attribute_exists ( #LIVE )",
          // The condition on the session's turns says it already.
          "FOLLOW_UP META #last_ts < :ts",
          "FOLLOW_UP IDEM attribute_not_exists ( #PK ) OR #expires_at <= :now",
          "DELETE T #status IN ( :completed , :failed , :timed_out , :interrupted , :cancelled )",
          "DELETE META #turn_seq = :seen",
          "DELETE META #working = :working",
          "DELETE META attribute_not_exists ( #deleted )",
          // What is deleted is seen by nobody; 50 ms of events do not fit between read and write.
          "DELETE T #last_ts < :before",
          "CANCEL T #last_ts < :before",
          // A runner has the sandbox as long as its turn lives, which the same transaction asks
          // for;
          // while it lives, no other turn can wait.
          "END BOX #holder = :turn",
          "END BOX #fence = :fence",
          "END BOX attribute_not_exists ( #next )",
          // A runner reports when its events are answered.
          "END T #last_ts < :ts",
          // A fence only grows with a claim, which also renews the lease.
          "CLOSE T #fence = :seen_fence",
          "CLOSE T #dispatch = :seen_dispatch",
          "REDISPATCH T #fence = :seen_fence",
          "REDISPATCH T #status = :seen_status",
          "REDISPATCH T attribute_not_exists ( #lease_until )",
          // Two that see the same make the same of it.
          "REDISPATCH T #dispatch = :seen_dispatch",
          // An older ticket or execution may win, once: the fence sees to the rest.
          "CLAIM T #ticket_hash = :ticket",
          "LAUNCH T #dispatch = :dispatch",
          "WAIT T #dispatch = :dispatch",
          // Of a task that waits and a new one the claim decides.
          "STANDBY STANDBY #token_hash = :hash",
          "STANDBY STANDBY #offered = :turn",
          "STANDBY STANDBY #dispatch = :dispatch",
          "STANDBY STANDBY attribute_not_exists ( #taken )",
          "STANDBY STANDBY ( attribute_not_exists ( #PK ) OR #number <= :seen )",
          // A turn is claimed once: whoever has a token of it has the only one there is.
          "CLAIM T #fence < :fence",
          "EVENTS T #fence = :fence",
          "END T #fence = :fence",
          "RENEW T #fence = :fence",
          "RENEW_LOCK BOX #fence = :fence",
          "RELEASE BOX #fence = :fence",
          // A deleted session lies there for another hour, marked.
          "CHANGE META attribute_exists ( #PK )",
          // That the time of a session's last change goes on is looked at by LastChangeTest.
          "CHANGE META #updated <= :stamp",
          "PURGE META attribute_exists ( #deleted )",
          "OPEN BOX #fence = :fence",
          "COMPLETE BOX #fence = :fence",
          // The first save of a session shows it; later ones are no different.
          "SETTLE BOX #snapshot = :seen_snapshot",
          // A lease belongs to one holder.
          "SETTLE BOX #holder = :turn",
          "SETTLE BOX #fence = :fence",
          // Of two uploads only one is completed; parts go where the latest is.
          "OPEN BOX attribute_not_exists ( #upload )",
          // A turn that is not started when the sandbox is let go waits for the sweep.
          "NAME BOX #holder = :turn",
          "NAME BOX #fence = :fence",
          "RELEASE BOX #next = :next",
          "RELEASE BOX attribute_not_exists ( #next )",
          "SETTLE BOX #next = :next",
          "SETTLE BOX attribute_not_exists ( #next )",
          // A turn goes with the lock that its runner must hold.
          "RELEASE T attribute_exists ( #PK )",
          // What has been seen to have ended stays so, and is settled by whoever frees its lock.
          "RELEASE T #status IN ( :completed , :failed , :timed_out , :interrupted , :cancelled )",
          "RELEASE T attribute_not_exists ( #settled )",
          "SETTLE T #status IN ( :completed , :failed , :timed_out , :interrupted , :cancelled )",
          "SETTLE T attribute_exists ( #PK )",
          "SETTLE T attribute_not_exists ( #settled )",
          // A turn is settled while it is live by nobody.
          "END T attribute_not_exists ( #settled )",
          "CLOSE T attribute_not_exists ( #settled )",
          // Reached only by a turn that waited its whole time, or whose agent is gone.
          "CLOSE T attribute_not_exists ( #lease_until )");

  @ParameterizedTest(name = "{0}")
  @MethodSource("guards")
  void isMissedWhenItIsTakenAway(Guard guard, Scenario scenario, long seed) {
    Optional<Exploration.Found> found =
        exploration(scenario, guard).randomRuns(seed, RUNS, DEVIATIONS).found();
    assertTrue(
        found.isPresent() || exploration(scenario, guard).everyRun(2, RUNS).found().isPresent(),
        () -> "nothing goes wrong without " + guard);
  }

  @Test
  void eachClauseIsKnownHere() {
    Set<String> met = new TreeSet<>();
    Scenario.ALL.forEach(
        scenario -> exploration(scenario, new Listening(met)).randomRuns(SEED, 25, DEVIATIONS));
    assertEquals(Set.of(), without(NEEDED.keySet(), met), "needed, and nowhere");
    met.removeAll(NEEDED.keySet());
    met.removeAll(UNNEEDED);
    assertEquals(Set.of(), met);
  }

  private static Set<String> without(Set<String> clauses, Set<String> others) {
    Set<String> left = new TreeSet<>(clauses);
    left.removeAll(others);
    return left;
  }

  static Stream<Arguments> guards() {
    return Stream.concat(
        Stream.of(
            arguments(new Guard.OneTransaction(), "a follow-up while a turn runs", 1),
            arguments(new Guard.OneEnding(), "cancel while a runner works", 1),
            arguments(new Guard.NewNumber(), "lost starts and dead runners", 3),
            arguments(new Guard.Token(), "a follow-up while a turn runs", 1),
            arguments(new Guard.Sweeping(), "lost starts and dead runners", 1)),
        Stream.of(NEEDED, TOGETHER)
            .map(Map::entrySet)
            .flatMap(Collection::stream)
            .map(clause ->
                arguments(
                    Guard.Clause.parse(clause.getKey()),
                    clause.getValue().scenario(),
                    clause.getValue().seed())));
  }

  private static Arguments arguments(Guard guard, String scenario, long seed) {
    return Arguments.of(guard, Scenario.named(scenario), seed);
  }

  private static Exploration exploration(Scenario scenario, ScheduledTable.Sabotage sabotage) {
    return new Exploration(scenario, sabotage);
  }

  /// Takes nothing away, but notes each clause.
  private record Listening(Set<String> met) implements ScheduledTable.Sabotage {
    @Override
    public Predicate<InMemoryTable.Guarded> ignored() {
      return guarded -> {
        met.add(Guard.Clause.of(guarded).toString());
        return false;
      };
    }
  }
}
