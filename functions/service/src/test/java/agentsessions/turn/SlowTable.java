package agentsessions.turn;

import agentsessions.aws.InMemoryTable;
import agentsessions.aws.TableLayer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// The in-memory table for many threads, with the milliseconds that each call takes.
public final class SlowTable extends TableLayer {
  private final long read;
  private final long write;

  /// As on AWS.
  public SlowTable(InMemoryTable table) {
    this(table, 5, 10);
  }

  public SlowTable(InMemoryTable table, long read, long write) {
    super(table);
    this.read = read;
    this.write = write;
  }

  @Override
  protected <T> T read(Supplier<T> call) {
    return after(read, call);
  }

  @Override
  protected <T> T write(Supplier<T> call) {
    return after(write, call);
  }

  private <T> T after(long millis, Supplier<T> call) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    synchronized (table) {
      return call.get();
    }
  }
}
