package agentsessions.table;

/// The failure of an AWS service to answer within the time that a request may take; nothing is
/// known to have been changed, and the same request may be sent again. The API answers 503.
public final class Unavailable extends RuntimeException {
  public Unavailable(String what, Throwable cause) {
    super(what, cause);
  }
}
