package agentsessions.api.request;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.WebhookId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The absolute URLs of the API and the console, all built here from the deployment's base URL.
public record Links(String baseUrl) {

  public String session(SessionId id) {
    return sessions() + "/" + id;
  }

  /// The console's page of a session.
  public String sessionPage(SessionId id) {
    return baseUrl + "/console/#/sessions/" + id;
  }

  public String sessions() {
    return baseUrl + "/rest/v1/sessions";
  }

  public String messages(SessionId id) {
    return session(id) + "/messages";
  }

  public String threads(SessionId id) {
    return session(id) + "/threads";
  }

  public String thread(SessionId id, TurnId thread) {
    return threads(id) + "/" + thread;
  }

  public String threadMessages(SessionId id, TurnId thread) {
    return thread(id, thread) + "/messages";
  }

  /// The reply link (api.md): what a client polls.
  public String finalMessage(SessionId id, TurnId thread) {
    return threadMessages(id, thread) + "?type=final_message&role=assistant";
  }

  /// The link to a user message, the only one of its thread.
  public String userMessage(SessionId id, TurnId thread) {
    return threadMessages(id, thread) + "?type=message&role=user";
  }

  /// The requests for decisions of a workspace.
  public String requests() {
    return baseUrl + "/rest/v1/requests";
  }

  public String requests(SessionId id) {
    return session(id) + "/requests";
  }

  public String request(SessionId id, RequestId request) {
    return requests(id) + "/" + request;
  }

  public String decision(SessionId id, RequestId request) {
    return request(id, request) + "/decision";
  }

  public String artifacts(SessionId id) {
    return session(id) + "/artifacts";
  }

  public String artifact(SessionId id, ArtifactId artifact) {
    return artifacts(id) + "/" + artifact;
  }

  public String webhook(WebhookId webhook) {
    return baseUrl + "/rest/v1/webhooks/" + webhook;
  }

  public String deliveries(WebhookId webhook) {
    return webhook(webhook) + "/deliveries";
  }

  public static String with(String url, Map<String, List<String>> query) {
    List<String> pairs = new ArrayList<>();
    query.forEach(
        (name, values) -> values.forEach(value -> pairs.add(name + "=" + encoded(value))));
    return pairs.isEmpty() ? url : url + "?" + String.join("&", pairs);
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
