package agentsessions.api;

import agentsessions.session.ArtifactId;
import agentsessions.session.SessionId;
import agentsessions.session.TurnId;
import agentsessions.session.WebhookId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Every absolute URL this service gives out is built here, from the deployment's base URL.
record Links(String baseUrl) {

  String session(SessionId id) {
    return sessions() + "/" + id;
  }

  /// The page for people that shows the session.
  String sessionPage(SessionId id) {
    return baseUrl + "/console/#/sessions/" + id;
  }

  String sessions() {
    return baseUrl + "/rest/v1/sessions";
  }

  String messages(SessionId id) {
    return session(id) + "/messages";
  }

  String threads(SessionId id) {
    return session(id) + "/threads";
  }

  String thread(SessionId id, TurnId thread) {
    return threads(id) + "/" + thread;
  }

  String threadMessages(SessionId id, TurnId thread) {
    return thread(id, thread) + "/messages";
  }

  /// The reply link (api.md): what a client polls.
  String finalMessage(SessionId id, TurnId thread) {
    return threadMessages(id, thread) + "?type=final_message&role=assistant";
  }

  /// Where a user message is found again: the only one of its thread.
  String userMessage(SessionId id, TurnId thread) {
    return threadMessages(id, thread) + "?type=message&role=user";
  }

  String artifacts(SessionId id) {
    return session(id) + "/artifacts";
  }

  String artifact(SessionId id, ArtifactId artifact) {
    return artifacts(id) + "/" + artifact;
  }

  String webhook(WebhookId webhook) {
    return baseUrl + "/rest/v1/webhooks/" + webhook;
  }

  String deliveries(WebhookId webhook) {
    return webhook(webhook) + "/deliveries";
  }

  static String with(String url, Map<String, List<String>> query) {
    List<String> pairs = new ArrayList<>();
    query.forEach(
        (name, values) -> values.forEach(value -> pairs.add(name + "=" + encoded(value))));
    return pairs.isEmpty() ? url : url + "?" + String.join("&", pairs);
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
