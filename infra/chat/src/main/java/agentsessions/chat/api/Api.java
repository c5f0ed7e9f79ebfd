package agentsessions.chat.api;

import agentsessions.chat.api.ApiModel.Agent;
import agentsessions.chat.api.ApiModel.AgentList;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.ArtifactPage;
import agentsessions.chat.api.ApiModel.Href;
import agentsessions.chat.api.ApiModel.KeyScopes;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.ApiModel.MessagePage;
import agentsessions.chat.api.ApiModel.Sent;
import agentsessions.chat.api.ApiModel.Session;
import agentsessions.chat.api.ApiModel.SessionPage;
import agentsessions.chat.api.ApiModel.Turn;
import agentsessions.chat.api.ApiModel.TurnPage;
import agentsessions.chat.api.ApiModel.Upload;
import agentsessions.chat.api.ApiModel.Work;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The API's operations that the client uses, as methods; each throws [ChatFailure].
public final class Api {
  private static final String TRANSCRIPT =
      "/messages?type=message&type=tool_call&type=final_message";

  private final ApiHttp http;
  private final Access access;
  private final SentFiles files;

  /// @param notices gets a line when a response takes longer than usual
  public Api(Access access, Consumer<String> notices) {
    this.http = new ApiHttp(access, notices);
    this.access = access;
    this.files =
        new SentFiles(
            new UploadClient(
                file -> http.post(link("/uploads"), file, Upload.class), access::here));
  }

  /// The command that goes on with a session at this service, to be typed again.
  public String again(String sessionId) {
    List<String> words = new ArrayList<>(List.of(ClientVersion.command(), "--session", sessionId));
    words.addAll(access.options());
    return String.join(" ", words);
  }

  /// A link of the service by the address that this client uses.
  public URI here(URI link) {
    return access.here(link);
  }

  public List<Agent> agents() {
    return http.read(link("/agents"), AgentList.class).items();
  }

  /// The newest sessions of the workspace, newest first.
  public List<Session> sessions() {
    return http.read(link("/sessions?limit=20"), SessionPage.class).items();
  }

  /// The current state of a session.
  ///
  /// @param id or `last`, the newest session of the workspace
  public Session session(String id) {
    return http.read(
        link("/sessions/" + encoded(id.equals("last") ? newest() : id)), Session.class);
  }

  private String newest() {
    return sessions().stream()
        .map(Session::id)
        .findFirst()
        .orElseThrow(() -> new ChatFailure("There is no session yet"));
  }

  /// The repositories of a session and their changes.
  public Work work(String sessionId) {
    return http.read(link("/sessions/" + sessionId), Work.class);
  }

  /// Creates a session.
  public Session create(String agent, String message, MessageInputs inputs) {
    Map<String, Object> body = new LinkedHashMap<>(inputs.fields(files::fields));
    body.putAll(Map.of("agent_name", agent, "message", message));
    return http.post(link("/sessions"), body, Session.class);
  }

  /// Sends a follow-up message, which interrupts the turn in progress.
  public Sent send(String sessionId, String message, MessageInputs inputs) {
    Map<String, Object> body = new LinkedHashMap<>(inputs.fields(files::fields));
    body.put("message", message);
    return http.post(link("/sessions/" + sessionId + "/messages"), body, Sent.class);
  }

  public Turn interrupt(String sessionId) {
    return http.post(link("/sessions/" + sessionId + "/interrupt"), Map.of(), Turn.class);
  }

  /// Interrupts the turn in progress only: what waits, a message, a plan or a push, waits on.
  public Turn interruptTurn(String sessionId) {
    return http.post(
        link("/sessions/" + sessionId + "/interrupt"), Map.of("queue", "keep"), Turn.class);
  }

  /// The requests of a session that wait for a decision, oldest first.
  public List<PendingRequest> pending(String sessionId) {
    return http.read(link("/requests?session_id=" + sessionId), PendingRequest.Page.class).items();
  }

  /// Decides a request, just as it was shown.
  ///
  /// @param decision `allow`, `allow_session` or `deny`
  /// @param note what the agent is told of a denial
  /// @param answers the values for each question, by its id; empty if it asks none
  public void decide(
      PendingRequest request,
      String decision,
      @Nullable String note,
      Map<String, List<String>> answers) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("decision", decision);
    body.put("fingerprint", request.fingerprint());
    if (note != null) {
      body.put("note", note);
    }
    if (!answers.isEmpty()) {
      body.put("answers", answers);
    }
    String path = "/sessions/" + request.sessionId() + "/requests/" + request.id() + "/decision";
    PendingRequest _ = http.post(link(path), body, PendingRequest.class);
  }

  /// Whether the key may decide requests.
  public boolean mayDecide() {
    return http.read(link("/me"), KeyScopes.class).scopes().contains("decide");
  }

  public Turn turn(String sessionId, String threadId) {
    return http.read(link("/sessions/" + sessionId + "/threads/" + threadId), Turn.class);
  }

  /// The number of a session's turns, up to the size of one page.
  public int turns(String sessionId) {
    return http.read(link("/sessions/" + sessionId + "/threads"), TurnPage.class).items().size();
  }

  /// The last twenty messages of the history, oldest first.
  public List<Message> history(String sessionId) {
    URI link = link("/sessions/" + sessionId + TRANSCRIPT + "&direction=desc&limit=20");
    return messages(link).items().reversed();
  }

  /// The link to the messages of a thread, after a time if one is given.
  public URI transcript(String sessionId, String threadId, @Nullable BigDecimal after) {
    String rest = after == null ? "" : "&gts=" + after.toPlainString();
    return link("/sessions/" + sessionId + "/threads/" + threadId + TRANSCRIPT + rest);
  }

  /// The event stream of a thread; empty if the service has none.
  ///
  /// @param lastId the id of the last event received; empty: from the beginning
  public Optional<LiveLines> events(String sessionId, String threadId, String lastId) {
    return http.events(link("/sessions/" + sessionId + "/threads/" + threadId + "/events"), lastId);
  }

  public MessagePage messages(URI link) {
    return http.read(link, MessagePage.class);
  }

  /// All artifacts of a kind, oldest first.
  public List<Artifact> artifacts(String sessionId, String kind) {
    List<Artifact> all = new ArrayList<>();
    @Nullable URI link = link("/sessions/" + sessionId + "/artifacts?limit=100&kind=" + kind);
    while (link != null) {
      ArtifactPage page = http.read(link, ArtifactPage.class);
      all.addAll(page.items());
      @Nullable Href next = page.links().next();
      link = next == null ? null : URI.create(next.href());
    }
    return all;
  }

  public Artifact artifact(String sessionId, String id) {
    return http.read(link("/sessions/" + sessionId + "/artifacts/" + encoded(id)), Artifact.class);
  }

  private URI link(String path) {
    return URI.create(access.base() + path);
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
