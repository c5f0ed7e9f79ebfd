package agentsessions.runner.network.tool;

import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.PendingVerdict;
import agentsessions.runner.agent.tool.ToolJudge;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.network.connection.LoopbackSecret;
import agentsessions.runner.network.connection.PortForward;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The gate in front of the tools of one turn's agent. The agent's hook runs the program `ask`,
/// which sends what it is told of a call, as JSON that ends with a zero byte, and gets back
/// `allow`, `deny` with a reason, or `print` with what the hook is to print. Whatever goes wrong on
/// the way is a denial. Where a person must be asked the hook waits, with its connection open.
///
/// The agent runs its hook itself, so this carries consent and no security: the judge's calls are
/// compared with what has run.
///
/// Why: decision 039, and 047 for the gate on loopback.
public final class ToolGate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ToolGate.class);
  private static final String PROGRAM = "/opt/gate/ask";
  private static final Path SANDBOX = Path.of("/");
  private static final int CALL_BYTES = 8 * 1024 * 1024;
  private static final int USUAL_BYTES = 64 * 1024;

  /// For a hook to tell of a call, and to hear the verdict; not for what is between.
  private static final Duration TO_TELL = Duration.ofSeconds(10);

  private static final Executor LATER =
      CompletableFuture.delayedExecutor(TO_TELL.toMillis(), TimeUnit.MILLISECONDS);

  /// The large calls that are read at once in this process, all turns together; it bounds their
  /// memory, as each caller must tell its call within seconds.
  private static final Semaphore LARGE = new Semaphore(4);

  private static final int CALLERS = 64;

  /// From a caller that could not be accepted to the next try, which may fail at once, too.
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final ServerSocketChannel server;
  private final Optional<PortForward> portForward;
  private final String command;
  private final byte[] secret;
  private final ToolJudge judge;
  private final Semaphore callers = new Semaphore(CALLERS);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /// @param portForward empty for a gate on loopback
  /// @param secret what each call begins with; empty where no other process can reach the gate
  private ToolGate(
      ServerSocketChannel server,
      Optional<PortForward> portForward,
      String command,
      String secret,
      ToolJudge judge) {
    this.server = server;
    this.portForward = portForward;
    this.command = command;
    this.secret = secret.getBytes(StandardCharsets.US_ASCII);
    this.judge = judge;
  }

  /// A gate behind a Unix socket.
  ///
  /// @param port of the sandbox's loopback that is forwarded to the socket
  public static ToolGate onSocket(ToolJudge judge, int port) throws IOException {
    // Not in the session's folder: a socket's path is at most 100 bytes long.
    Path socket = Files.createTempDirectory("tools").resolve("socket");
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    PortForward forward = new PortForward(port, socket);
    return new ToolGate(server, Optional.of(forward), command(SANDBOX, port), "", judge).started();
  }

  /// A gate on a free port of loopback, which other processes can reach as well: only for callers
  /// that know its secret.
  ///
  /// @param root the folder that the agent sees as `/`
  public static ToolGate onLoopback(ToolJudge judge, Path root) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.INET);
    server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    String secret = LoopbackSecret.random();
    String command = command(root, port) + " " + secret;
    return new ToolGate(server, Optional.empty(), command, secret, judge).started();
  }

  private static String command(Path root, int port) {
    return root.resolve(PROGRAM.substring(1)) + " " + port;
  }

  /// The port forward from a sandbox without a network; empty for a gate on loopback.
  public Optional<PortForward> portForward() {
    return portForward;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      server.close();
      if (portForward.isPresent()) {
        Path socket = portForward.get().socket();
        Files.deleteIfExists(socket);
        Files.deleteIfExists(socket.getParent());
      }
    } catch (IOException left) {
      LOG.warn("a gate's socket is left: {}", left.getMessage());
    }
  }

  private ToolGate started() {
    threads.execute(this::accept);
    return this;
  }

  /// Until the turn ends: a hook that asks then finds nobody, which denies. So does one that cannot
  /// be accepted, as where the process has too many files open.
  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel caller = server.accept();
        if (callers.tryAcquire()) {
          start(caller);
        } else {
          caller.close();
        }
      } catch (IOException failed) {
        if (server.isOpen()) {
          pause();
        }
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void start(SocketChannel caller) throws IOException {
    try {
      threads.execute(() -> answer(caller));
    } catch (RejectedExecutionException ended) {
      caller.close();
    }
  }

  private void answer(SocketChannel caller) {
    try {
      Verdict verdict = receive(caller).await();
      judge.consent().answered(verdict, isHeard(caller, verdict));
    } catch (IOException gone) {
      LOG.info("a hook has gone: {}", gone.getMessage());
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    } finally {
      close(caller);
      callers.release();
    }
  }

  /// Whether the hook was still there to hear its verdict, which ends as its connection does.
  private static boolean isHeard(SocketChannel caller, Verdict verdict) {
    try (caller) {
      send(caller, verdict);
      return true;
    } catch (IOException gone) {
      LOG.info("a hook has gone: {}", gone.getMessage());
      return false;
    }
  }

  /// Nothing large is held when this has returned: what follows may take as long as people do.
  private PendingVerdict receive(SocketChannel caller) throws IOException {
    CompletableFuture<Void> late = CompletableFuture.runAsync(() -> close(caller), LATER);
    try {
      return verdict(caller);
    } finally {
      late.cancel(false);
    }
  }

  private static void send(SocketChannel caller, Verdict verdict) throws IOException {
    String answer =
        switch (verdict.kind()) {
          case ALLOWED -> verdict.text().isEmpty() ? "allow" : "print " + verdict.text();
          case DENIED -> "deny " + verdict.text();
          case DEFERRED -> "print " + verdict.text();
        };
    // By its end the hook knows that it has heard all of it.
    ByteBuffer bytes = ByteBuffer.wrap((answer + "\0").getBytes(StandardCharsets.UTF_8));
    requireThere(caller);
    CompletableFuture<Void> late = CompletableFuture.runAsync(() -> close(caller), LATER);
    try {
      while (bytes.hasRemaining()) {
        int _ = caller.write(bytes);
      }
    } finally {
      late.cancel(false);
    }
  }

  /// A hook keeps its connection open until it has heard; nothing more comes from it.
  private static void requireThere(SocketChannel caller) throws IOException {
    caller.configureBlocking(false);
    if (caller.read(ByteBuffer.allocate(1)) < 0) {
      throw new IOException("it waits no longer");
    }
    caller.configureBlocking(true);
  }

  private static void close(SocketChannel caller) {
    try {
      caller.close();
    } catch (IOException gone) {
      // It is closed all the same.
    }
  }

  private PendingVerdict verdict(SocketChannel caller) throws IOException {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    if (readTo(USUAL_BYTES, caller, told)) {
      return judge(told.toByteArray());
    }
    if (!acquired()) {
      return () -> Verdict.denied("Too many large calls at once.");
    }
    try {
      return readTo(CALL_BYTES, caller, told)
          ? judge(told.toByteArray())
          : () -> Verdict.denied("The call is larger than what can be judged.");
    } finally {
      LARGE.release();
    }
  }

  private static boolean acquired() throws IOException {
    try {
      return LARGE.tryAcquire(TO_TELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  /// Reads on; false if there are more bytes than that before the zero byte.
  private static boolean readTo(int most, SocketChannel caller, ByteArrayOutputStream told)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(USUAL_BYTES);
    while (told.size() <= most) {
      if (caller.read(buffer.clear()) < 0) {
        throw new IOException("it told nothing whole");
      }
      int length = buffer.position();
      boolean isLast = buffer.get(length - 1) == 0;
      told.write(buffer.array(), 0, isLast ? length - 1 : length);
      if (isLast) {
        return true;
      }
    }
    return false;
  }

  private PendingVerdict judge(byte[] told) {
    return call(told)
        .flatMap(Json::ofAgent)
        .map(judge::judge)
        .orElse(() -> Verdict.denied("The call could not be read."));
  }

  /// What follows the secret; empty where that is not known.
  private Optional<byte[]> call(byte[] told) {
    if (secret.length == 0) {
      return Optional.of(told);
    }
    boolean isOurs =
        told.length > secret.length
            && MessageDigest.isEqual(secret, Arrays.copyOf(told, secret.length));
    return isOurs
        ? Optional.of(Arrays.copyOfRange(told, secret.length, told.length))
        : Optional.empty();
  }

  /// The variable `AGENT_GATE`: the command that an agent's hook is to be.
  public String command() {
    return command;
  }

  /// The program that a hook runs, by its path in the sandbox.
  public static Map<String, String> program() {
    try (InputStream text = ToolGate.class.getResourceAsStream("ask")) {
      byte[] bytes = Objects.requireNonNull(text, "ask").readAllBytes();
      return Map.of(PROGRAM, new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
