package agentsessions.aws;

/// Takes every launch and starts nothing; tests are their own runners.
public record NoEngine() implements Engine {
  @Override
  public void launch(Launch launch) {}

  @Override
  public boolean startsAtOnce() {
    return true;
  }
}
