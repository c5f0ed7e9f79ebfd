package agentsessions.chat.transcript;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.PendingRequest;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The request that a turn is held by, shown to the user once.
public final class ShownRequest {
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss z").withZone(ZoneId.systemDefault());

  private final Api api;
  private final Consumer<PendingRequest> show;
  private volatile String shown = "";
  private volatile @Nullable PendingRequest current;

  public ShownRequest(Api api, Consumer<PendingRequest> show) {
    this.api = api;
    this.show = show;
  }

  /// Looks what a live turn is held by.
  public void look(String sessionId, Turn turn) {
    Optional<PendingRequest> held =
        turn.isHeld()
            ? api.pending(sessionId).stream()
                .filter(each -> each.threadId().equals(turn.id()))
                .findFirst()
            : Optional.empty();
    held.filter(request -> !request.id().equals(shown))
        .ifPresent(request -> {
          shown = request.id();
          show.accept(request);
        });
    current = held.orElse(null);
  }

  /// The time at which a request expires, in this machine's time zone.
  public static String time(PendingRequest request) {
    return SECOND.format(Instant.parse(request.expiresAt()));
  }

  public Optional<PendingRequest> current() {
    return Optional.ofNullable(current);
  }

  /// Forgets the request, since it is decided or its turn is over.
  public void clear() {
    current = null;
  }
}
