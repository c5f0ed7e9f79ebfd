package agentsessions.chat;

/// JSON pages of one thread of session `s`, as the API returns them.
public final class Pages {
  public static final String FIRST = "?type=message&type=tool_call&type=final_message";

  private Pages() {}

  public static String line(String thread, String query) {
    return "GET /sessions/s/threads/" + thread + "/messages" + query;
  }

  public static String session(String thread, String status) {
    return """
    {"id": "s", "agent_name": "shell", "title": null, "status": "%s", "thread_id": "%s",
     "plan_artifact_ids": [], "updated_at": "2026-01-01T00:00:00.000Z", "_links": {}}\
    """
        .formatted(status, thread);
  }

  public static String turn(String thread, String status, String supersededBy) {
    return """
    {"id": "%s", "status": "%s", "error": null, "superseded_by": %s}\
    """
        .formatted(thread, status, supersededBy.isEmpty() ? "null" : '"' + supersededBy + '"');
  }

  /// A page of messages.
  ///
  /// @param rest the end of the link to newer messages, such as `&gts=2`
  public static String page(String thread, String turn, String link, String rest, String... items) {
    String href = "{base}/sessions/s/threads/" + thread + "/messages" + FIRST + rest;
    return """
    {"items": [%s], "thread": %s, "poll_after_seconds": 1,
     "_links": {"self": {"href": ""}, "new_messages": {"href": "%s"}%s}}\
    """
        .formatted(
            String.join(",", items),
            turn,
            href,
            link.equals("next") ? ", \"next\": {\"href\": \"" + href + "\"}" : "");
  }

  /// The list of what waits in thread `t`: a call of `Bash` with an input of two lines.
  public static String asked(String request) {
    return waiting(request(request));
  }

  public static String request(String id) {
    return request(
        id,
        "permission",
        """
        "tool": {"name": "Bash", "kind": "execute", "input": {"command": "date\\nAllow", "n": 1}}\
        """);
  }

  /// A request of a kind, with the fields that only this kind has.
  public static String request(String id, String kind, String fields) {
    return """
    {"id": "%s", "session_id": "s", "thread_id": "t", "title": "Bash: date", "fingerprint": "f",
     "kind": "%s", %s,
     "expires_at": "2026-01-01T00:00:00.000Z", "_links": {"decision": {"href": "http://d"}}}\
    """
        .formatted(id, kind, fields);
  }

  /// The request for a push that makes a pull request.
  ///
  /// @param patch the SHA-256 of what would be pushed
  public static String push(String id, String patch) {
    return request(
        id,
        "push",
        """
        "tool": {"name": "push", "kind": "push", "input": {"repositories": [
         {"path": "app", "url": "u", "branch": "b", "pull_request": true,
          "patch_sha256": "%s"}]}}\
        """
            .formatted(patch));
  }

  /// A session whose repository is pushed, or is to be, as `job` says.
  public static String work(String status, String job) {
    return """
    {"id": "s", "agent_name": "shell", "status": "%s", "job": %s, "thread_id": "t",
     "updated_at": "2026-01-01T00:00:00.000Z",
     "repositories": [{"url": "u", "path": "app", "files_changed": 1, "additions": 1, "deletions": 0,
      "pushed": {"branch": "b", "commit": "0123456789"},
      "pull_request_url": "https://git.example.org/pulls/1"}],
     "pull_requests": ["https://git.example.org/pulls/1"]}\
    """
        .formatted(status, job);
  }

  /// A page of requests.
  public static String waiting(String... requests) {
    return """
    {"items": [%s], "_links": {}}\
    """
        .formatted(String.join(",", requests));
  }

  public static String said(String thread, String role, String text, String ts) {
    return """
    {"id": "m", "thread_id": "%s", "role": "%s", "type": "message", "message": "%s", "ts": %s}\
    """
        .formatted(thread, role, text, ts);
  }

  public static String reply(String thread, String text, String outcome) {
    return """
    {"id": "f", "thread_id": "%s", "role": "assistant", "type": "final_message",
     "message": "%s", "outcome": "%s", "ts": 9.000001}\
    """
        .formatted(thread, text, outcome);
  }
}
