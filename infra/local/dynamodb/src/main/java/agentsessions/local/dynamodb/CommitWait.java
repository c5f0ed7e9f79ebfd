package agentsessions.local.dynamodb;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// The storage of DynamoDB Local, with a commit that is waited for, and with definitions of tables
/// that are not read anew for each call.
///
/// By itself DynamoDB Local (3.3.1) answers a transaction when its commit is queued: killed in the
/// next milliseconds it loses what it has acknowledged, and nobody hears of a commit that fails.
/// Here a transaction is answered once its own record, which stands in the same commit, can be read
/// outside of it; where it cannot, the transaction is rolled back and the call fails.
final class CommitWait implements InvocationHandler {
  private static final String PACKAGE = "software.amazon.dynamodb.services.local.";
  private static final String ACCESS = PACKAGE + "shared.access.LocalDBAccess";
  private static final String CLIENT = PACKAGE + "shared.access.LocalDBClient";
  private static final String JOBS = PACKAGE + "shared.jobs.JobsRegister";

  /// The name of the one database of a server that is started with `-sharedDb`.
  private static final String SHARED = "shared-local-instance";

  /// As many threads for the work in the background as DynamoDB Local takes itself.
  private static final int THREADS = 10;

  private final Object access;
  private final ReentrantReadWriteLock lock;
  private final Method begin;
  private final Method rollback;
  private final TableDefinitions definitions = new TableDefinitions();

  private CommitWait(Object access, Class<?> type) throws ReflectiveOperationException {
    this.access = access;
    this.lock = (ReentrantReadWriteLock) value(access, access.getClass(), "queueLock");
    this.begin = type.getMethod("beginTransaction", String.class);
    this.rollback = type.getMethod("rollbackTransaction");
  }

  /// Gives the server its storage, before the first call would.
  ///
  /// @param server DynamoDB Local's, with a shared database
  static void install(Object server, ClassLoader loader) throws ReflectiveOperationException {
    Object handler = value(server, server.getClass(), "serverHandler");
    Object requests = value(handler, handler.getClass().getSuperclass(), "primaryHandler");
    Class<?> type = Class.forName(ACCESS, true, loader);
    Method open =
        requests
            .getClass()
            .getDeclaredMethod("getDBAccess", String.class, String.class, boolean.class);
    open.setAccessible(true);
    Object folder = value(requests, requests.getClass(), "dbFileLocation");
    Object access = opened(open, String.valueOf(folder), loader);
    Object waiting =
        Proxy.newProxyInstance(loader, new Class<?>[] {type}, new CommitWait(access, type));
    Class<?> jobs = Class.forName(JOBS, true, loader);
    Constructor<?> register = jobs.getConstructor(ExecutorService.class, boolean.class);
    Object client =
        Class.forName(CLIENT, true, loader)
            .getConstructor(type, jobs)
            .newInstance(
                waiting, register.newInstance(Executors.newFixedThreadPool(THREADS), false));
    @SuppressWarnings("unchecked") // the database has no types here
    Map<String, Object> clients =
        (Map<String, Object>) value(requests, requests.getClass(), "dbRequestHandlers");
    clients.put(SHARED, client);
  }

  /// The storage, whose file has a log where it can.
  private static Object opened(Method open, String folder, ClassLoader loader)
      throws ReflectiveOperationException {
    Path database = Path.of(folder, SHARED + ".db");
    boolean canHaveLog = WriteAheadLog.isPossible(database);
    Object access = open.invoke(null, SHARED, folder, false);
    if (canHaveLog) {
      WriteAheadLog.keep(database, loader);
    }
    return access;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return switch (method.getName()) {
        case "beginTransaction" -> begun(arguments);
        case "commitTransaction" -> committed(method, arguments);
        case "getTableInfo" ->
            definitions.find(table(arguments), () -> method.invoke(access, arguments));
        default -> method.invoke(access, arguments);
      };
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      definitions.called(method.getName());
    }
  }

  private static String table(Object @Nullable [] arguments) {
    return String.valueOf(arguments == null ? null : arguments[0]);
  }

  /// Begins a transaction. One that does not begin would hold the lock for ever.
  private @Nullable Object begun(Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    boolean begun = false;
    try {
      Object signature = begin.invoke(access, arguments);
      begun = true;
      return signature;
    } finally {
      if (!begun) {
        rollback.invoke(access);
      }
    }
  }

  /// Nobody else may work in between: after a commit that failed, SQLite is still within the
  /// transaction, and all that is written then would be rolled back with it.
  private @Nullable Object committed(Method commit, Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    lock.writeLock().lock();
    try {
      commit.invoke(access, arguments);
      boolean kept = begun(arguments == null ? null : new Object[] {arguments[0]}) != null;
      rollback.invoke(access);
      if (!kept) {
        throw new IllegalStateException("The transaction was not committed");
      }
      return null;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private static Object value(Object owner, Class<?> type, String name)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
