package agentsessions.api.request;

/// In which form a client wants its answer. The framework is not told, since it would refuse a
/// request for a form that a route does not have.
public final class Form {
  /// Holds what the client said in `Accept`.
  public static final String HEADER = "x-accept";

  public static boolean isAsked(Call call, String mediaType) {
    return call.header(HEADER).filter(asked -> asked.contains(mediaType)).isPresent();
  }

  private Form() {}
}
