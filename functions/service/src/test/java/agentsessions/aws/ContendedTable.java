package agentsessions.aws;

import java.util.function.Supplier;

/// The in-memory table with somebody else who writes too: right before a write of the test's
/// choosing.
public final class ContendedTable extends TableLayer {
  private Runnable other = () -> {};
  private int ahead;

  public ContendedTable(InMemoryTable table) {
    super(table);
  }

  /// Has something happen before a write.
  ///
  /// @param number which of the writes from now on; 1: the next
  public void beforeWrite(int number, Runnable happens) {
    ahead = number;
    other = happens;
  }

  @Override
  protected <T> T write(Supplier<T> call) {
    if (ahead > 0) {
      ahead--;
      if (ahead == 0) {
        other.run();
      }
    }
    return call.get();
  }
}
