package agentsessions.local;

import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.Grant;
import agentsessions.authorizer.KeyTable;
import agentsessions.authorizer.Scope;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.lambda.Application;
import agentsessions.local.aws.AwsStandIns;
import agentsessions.local.aws.LocalTable;
import agentsessions.local.front.Gateway;
import agentsessions.local.front.KeyRevocations;
import agentsessions.local.machine.CannotStart;
import agentsessions.local.machine.DataFolder;
import agentsessions.local.machine.Disk;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.StartedParts;
import agentsessions.local.process.RunnerCommand;
import agentsessions.local.process.RunnerPool;
import agentsessions.local.process.TaskEngine;
import agentsessions.local.steps.RunnerPlaces;
import agentsessions.local.steps.StateMachines;
import agentsessions.local.steps.StepFunctions;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The whole service on this machine: the Lambda handlers, and stand-ins for the AWS services
/// around them.
///
/// A process can have one at a time: the handlers share one application context, and the AWS SDK
/// finds the stand-ins by system properties.
public final class LocalService implements AutoCloseable {
  static final String WORKSPACE = "local";
  static final String KEY_FILE = "local-key";
  static final String URL_FILE = "base-url";
  static final String LOCAL_URL_FILE = "local-url";
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  private final StartedParts parts;
  private final DataFolder data;
  private final Disk disk;
  private final ServiceListeners listeners;
  private final WorkspaceKeys keys;
  private final SandboxSupport isolation;
  private final List<AgentAvailability> availability;
  private final AwsStandIns standIns;
  private final RunnerPool runner;
  private final ConsoleKeys signIn;

  /// Starts everything; returns once requests are served.
  ///
  /// @throws CannotStart with a reason for people
  public static LocalService start(Settings settings) {
    if (STARTED.getAndSet(true)) {
      throw new IllegalStateException("one LocalService at a time");
    }
    StartedParts parts = new StartedParts();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return new LocalService(settings, parts, threads);
    } catch (RuntimeException e) {
      parts.close();
      STARTED.set(false);
      throw e;
    }
  }

  /// The order saves time: the functions are made while the database comes up.
  private LocalService(Settings settings, StartedParts parts, ExecutorService threads) {
    this.parts = parts;
    Installation installation = Installation.find();
    data = parts.keep(DataFolder.take(settings.data()));
    data.requireFormat(Layout.FORMAT);
    disk = parts.keep(new Disk(data.root()));
    disk.start();
    listeners = parts.keep(ServiceListeners.open(settings));
    Future<SandboxSupport> probe = threads.submit(() -> probe(settings, installation));
    standIns = new AwsStandIns(installation, data, settings.s3Port(), parts, threads);
    isolation = AwsStandIns.done(probe);
    Catalogue catalogue = Catalogue.load(installation, settings);
    Application.mistake(settings.service()).ifPresent(LocalService::refuse);
    Optional<TaskSetup> containers =
        settings.runsTasks() ? Optional.of(TaskSetup.find(settings, catalogue)) : Optional.empty();
    availability = availability(containers, catalogue, settings);
    Functions functions = functions(settings);
    RunnerCommand command = command(installation, settings, runnerEnvironment(catalogue, settings));
    runner = new RunnerPool(command);
    StepFunctions steps =
        steps(installation, functions, places(settings), tasks(containers, settings));
    keys = new WorkspaceKeys(standIns.table(), LocalTable.NAME);
    sweep(functions, command);
    // Closed before the runner, so that turns which the runner's end cuts off are recorded as
    // stopped.
    parts.keep(steps::windDown);
    signIn = new ConsoleKeys(keys, data.root());
    serve(settings, functions);
    if (containers.isEmpty()) {
      runner.start(); // before the first turn needs it
    }
    parts.keep(this::endRequests);
  }

  private static SandboxSupport probe(Settings settings, Installation installation)
      throws InterruptedException {
    return settings.runsTasks() ? SandboxSupport.ofTasks() : SandboxSupport.probe(installation);
  }

  private static void refuse(String mistake) {
    throw new CannotStart(mistake);
  }

  private List<AgentAvailability> availability(
      Optional<TaskSetup> containers, Catalogue catalogue, Settings settings) {
    return containers
        .map(TaskSetup::availability)
        .orElseGet(() -> catalogue.availability(isolation, settings.tools()));
  }

  private RunnerCommand command(
      Installation installation, Settings settings, Map<String, String> environment) {
    return new RunnerCommand(
        installation, turnsOfARunner(settings), data.logFile("runner"), environment);
  }

  /// A sandbox is what keeps the turns of a process apart, so without one each has a process of its
  /// own; and so it does where its process keeps a session's folder, as on Lambda.
  private int turnsOfARunner(Settings settings) {
    boolean apart = isolation.name().equals("bubblewrap") && !settings.keepsSandboxesAsObjects();
    return apart ? RunnerPool.PLACES : 1;
  }

  private Functions functions(Settings settings) {
    parts.keep(Application::stop);
    Map<String, Object> forService =
        settings.forService(
            listeners.settings(), AgentAvailability.offeredNames(availability), isolation);
    forService.put("obstacles", AgentAvailability.obstacles(availability));
    forService.put("own.ports", ownPorts());
    return Functions.of(forService);
  }

  private Optional<TaskEngine> tasks(Optional<TaskSetup> containers, Settings settings) {
    return containers.map(setup ->
        setup.open(
            data,
            List.of(listeners.runnerUrl(), standIns.objects()),
            settings.sessionDisk(disk.free())));
  }

  private static RunnerPlaces places(Settings settings) {
    return new RunnerPlaces(settings.runnerPlaces(), RunnerPlaces.TIMEOUT);
  }

  /// The state machines, with all that their executions need until they have ended.
  private StepFunctions steps(
      Installation installation,
      Functions functions,
      RunnerPlaces places,
      Optional<TaskEngine> tasks) {
    StepFunctions steps =
        standIns.serve(
            StateMachines.read(installation.stateMachine(), installation.exportMachine()),
            functions.turnSteps(),
            runner,
            places,
            tasks,
            functions.export(),
            functions.webhooks());
    parts.keep(runner);
    Optional<TaskEngine> _ = tasks.map(parts::keep);
    parts.keep(listeners); // again: requests in progress need the application
    return steps;
  }

  private void sweep(Functions functions, RunnerCommand command) {
    SandboxCleanup leftovers =
        parts.keep(
            new SandboxCleanup(
                data.folder("sandboxes"),
                sessions -> command.remove(sessions).start().waitFor(),
                new Table(standIns.table(), LocalTable.NAME, new ChangeSignal(false))));
    leftovers.start();
    parts.keep(new Sweeper(functions.sweep(), leftovers)).start();
  }

  private void serve(Settings settings, Functions functions) {
    Authorizer authorizer = new Authorizer(new KeyTable(standIns.table(), LocalTable.NAME));
    ensureLocalKey(authorizer);
    data.keepSecret(URL_FILE, baseUrl() + "/rest/v1"); // for clients on this machine
    data.keepSecret(LOCAL_URL_FILE, listeners.localUrl() + "/rest/v1");
    Gateway gateway =
        new Gateway(
            functions.api(),
            authorizer,
            settings.keyCache(),
            KeyRevocations.of(data.root()),
            disk::isNearlyFull,
            signIn.byCode());
    listeners.serve(gateway, settings.corsOrigin(), standIns.objects(), standIns.links());
  }

  private void endRequests() {
    listeners.endStreams();
    Application.endWaits();
  }

  /// The service's URL, without a path: `http://127.0.0.1:8080`.
  public URI baseUrl() {
    return listeners.url();
  }

  /// The service's URL for runners, without a path; for tests that act as a runner.
  public URI runnerUrl() {
    return listeners.runnerUrl();
  }

  /// Sentences for people about what is reachable from other machines; empty if all is on loopback.
  List<String> reach() {
    return listeners.reach();
  }

  /// Makes a key of a workspace, with all scopes.
  ///
  /// @throws IllegalStateException if the workspace has the maximum of live keys
  public String createKey(String workspace) {
    return keys.create(workspace, new Grant("scripts/start", Scope.all(), null))
        .map(ApiKey::text)
        .orElseThrow(() ->
            new IllegalStateException(
                "workspace " + workspace + " has " + WorkspaceKeys.CAP + " live keys"));
  }

  /// The key of workspace `local`, kept across starts.
  public String localKey() {
    return data.secret(KEY_FILE).orElseThrow();
  }

  /// The one-time code for the console, valid for five minutes after the start.
  public String signInCode() {
    return signIn.code();
  }

  /// The isolation of agents: `bubblewrap`, `task` or `none`.
  public String isolation() {
    return isolation.name();
  }

  /// The isolation with its reason and memory bound, for people.
  SandboxSupport sandbox() {
    return isolation;
  }

  /// The agents of the catalogue, available or not.
  List<AgentAvailability> availability() {
    return availability;
  }

  public Path dataFolder() {
    return data.root();
  }

  /// The process ids of the runner, for tests that kill them.
  public List<Long> runnerPids() {
    return runner.pids();
  }

  /// The process id of the database, for tests that kill it.
  public long databasePid() {
    return standIns.databasePid();
  }

  @Override
  public void close() {
    parts.close();
    STARTED.set(false);
  }

  /// The ports of this process and its stand-ins, separated by commas.
  private String ownPorts() {
    return Stream.concat(listeners.ports().stream(), standIns.ports().stream())
        .map(port -> Integer.toString(port))
        .collect(Collectors.joining(","));
  }

  private Map<String, String> runnerEnvironment(Catalogue catalogue, Settings settings) {
    Map<String, String> environment = new HashMap<>(catalogue.variables());
    environment.put("PATH", System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"));
    environment.put("SANDBOXES", data.folder("sandboxes").toString());
    environment.put("ISOLATION", isolation.name());
    environment.put("OBJECTS_AT", standIns.objects().toString());
    environment.put("OBJECTS", data.folder("objects").toString());
    environment.putAll(settings.reach());
    environment.put("DISK_KEPT_FREE_MIB", Long.toString(disk.keptFree() >> 20));
    settings.turnMemory().ifPresent(most -> environment.put("TURN_MEMORY_MIB", most));
    environment.put("SESSION_DISK_MIB", Long.toString(settings.sessionDisk(disk.free()) >> 20));
    if (settings.keepsSandboxesAsObjects()) {
      environment.put("SANDBOXES_KEPT", "objects");
    }
    settings
        .tools()
        .ifPresent(folder -> environment.put("TOOLS", folder.toAbsolutePath().toString()));
    return environment;
  }

  /// The table has only the key's hash, so the key itself is kept in the data folder, to be shown
  /// at each start.
  private void ensureLocalKey(Authorizer authorizer) {
    boolean good =
        data.secret(KEY_FILE).flatMap(key -> authorizer.authenticate("ApiKey " + key)).isPresent();
    if (!good) {
      data.keepSecret(KEY_FILE, createKey(WORKSPACE));
    }
  }
}
