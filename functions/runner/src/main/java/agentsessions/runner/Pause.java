package agentsessions.runner;

/// A short wait between two looks at something outside of this process that cannot be waited for.
final class Pause {
  private Pause() {}

  static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
