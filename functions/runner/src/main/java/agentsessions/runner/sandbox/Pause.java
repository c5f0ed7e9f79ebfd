package agentsessions.runner.sandbox;

/// A short wait between two looks at something outside of this process that cannot be waited for.
public final class Pause {
  private Pause() {}

  public static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
