package agentsessions.api.request;

/// The media types that a client accepts. The `Accept` header is passed on under another name,
/// since the framework would refuse a media type that a route does not produce.
public final class AcceptHeader {
  /// The name under which the client's `Accept` is passed on.
  public static final String HEADER = "x-accept";

  public static boolean isAsked(Call call, String mediaType) {
    return call.header(HEADER).filter(asked -> asked.contains(mediaType)).isPresent();
  }

  private AcceptHeader() {}
}
