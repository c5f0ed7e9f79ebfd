package agentsessions.api.workspace;

import agentsessions.api.request.BodyFields;
import agentsessions.session.SessionWebhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.session.webhook.WebhookUrl;
import agentsessions.store.webhook.Webhooks;
import agentsessions.turn.catalogue.OperatorPolicy;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reader of a webhook's fields in a request: URL, event types, description and secret.
@Singleton
public final class WebhookFields {
  private static final String URL = "url";
  private static final String TYPES = "types";
  private static final String PREFIX = "whsec_";
  private static final int MOST_SECRET = 200;
  private static final int LEAST_KEY = 24;
  private static final int MOST_KEY = 64;
  private static final int MOST_DESCRIPTION = 200;
  private static final int MOST_TYPES = 50;

  private final OperatorPolicy allowed;

  WebhookFields(OperatorPolicy allowed) {
    this.allowed = allowed;
  }

  /// The webhook that a new session is to have for itself, if any.
  @Nullable
  public SessionWebhook own(BodyFields body, String baseUrl) {
    return body.object("webhook", "{\"url\": …, \"secret\": …}")
        .map(given -> own(baseUrl, given))
        .orElse(null);
  }

  String url(BodyFields body) {
    String url = body.required(URL);
    if (!url.isBlank()) {
      Optional<String> fault = allowed.fault(url, WebhookUrl::fault);
      body.fault(URL, fault);
      if (fault.isEmpty() && refuses(URI.create(url))) {
        body.fault(
            URL,
            "must not lead to a private, loopback or link-local address" + allowed.unlessPrivate());
      }
    }
    return url;
  }

  /// The event types; none means all.
  List<WebhookEventType> types(BodyFields body) {
    List<String> given = body.list(TYPES, MOST_TYPES);
    if (body.has(TYPES)
        && (given.isEmpty()
            || given.stream().anyMatch(text -> WebhookEventType.of(text).isEmpty()))) {
      body.fault(TYPES, "must be one or more of " + String.join(", ", WebhookEventType.texts()));
    }
    return given.stream().map(WebhookEventType::of).flatMap(Optional::stream).distinct().toList();
  }

  Optional<String> description(BodyFields body) {
    return body.optional("description", MOST_DESCRIPTION);
  }

  /// An absent field stays as it is, and so does one that is null, but for the description.
  Webhooks.Patch patch(BodyFields body) {
    return new Webhooks.Patch(
        body.has(URL) ? Optional.of(url(body)) : Optional.empty(),
        body.has(TYPES) ? Optional.of(types(body)) : Optional.empty(),
        body.names("description") ? Optional.of(description(body)) : Optional.empty(),
        body.flag("is_enabled"));
  }

  private boolean refuses(URI url) {
    return allowed.hosts().refuses(url.getHost(), url.getPort());
  }

  private SessionWebhook own(String baseUrl, BodyFields fields) {
    String secret = fields.required("secret");
    if (!secret.isBlank() && !isSecret(secret)) {
      fields.fault("secret", "must be whsec_ and the base64 of 24 to 64 bytes");
    }
    return new SessionWebhook(url(fields), secret, baseUrl);
  }

  private static boolean isSecret(String secret) {
    if (!secret.startsWith(PREFIX) || secret.length() > MOST_SECRET) {
      return false;
    }
    try {
      int bytes = Base64.getDecoder().decode(secret.substring(PREFIX.length())).length;
      return bytes >= LEAST_KEY && bytes <= MOST_KEY;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }
}
