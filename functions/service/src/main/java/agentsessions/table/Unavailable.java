package agentsessions.table;

/// An AWS service did not answer within the time a request may take; nothing is known to have been
/// changed, and the same request may be sent again. The API answers 503.
public final class Unavailable extends RuntimeException {
  public Unavailable(String what, Throwable cause) {
    super(what, cause);
  }
}
