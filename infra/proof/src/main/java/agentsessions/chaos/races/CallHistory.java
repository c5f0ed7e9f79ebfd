package agentsessions.chaos.races;

import agentsessions.talk.ApiResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/// The record of all calls on one session with their times and answers (a history in Jepsen's
/// sense), which is checked afterwards against the rules that hold for every session.
final class CallHistory {
  private static final Set<String> LIVE = Set.of("queued", "running");
  private static final Set<String> SPOKE = Set.of("completed", "failed", "timed_out");

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

  /// One call.
  ///
  /// @param what `send`, `poll`, `list`, `interrupt`, `artifact`, `say`, `result`
  /// @param subject a text for `send` and `say`, else a thread
  record Event(String what, String subject, long start, long end, int status, JsonNode body) {
    boolean before(Event other) {
      return end < other.start;
    }

    boolean ok() {
      return status / 100 == 2;
    }
  }

  ApiResponse log(String what, String subject, Callable<ApiResponse> call) throws Exception {
    long start = System.nanoTime();
    ApiResponse answer = call.call();
    events.add(new Event(what, subject, start, System.nanoTime(), answer.status(), answer.json()));
    return answer;
  }

  /// The rules that the history breaks; empty if none.
  ///
  /// @param items the session's whole listing at the end
  /// @param threads its threads at the end
  List<String> violations(List<JsonNode> items, List<JsonNode> threads) {
    List<String> wrong = new ArrayList<>();
    faults(wrong);
    messages(wrong, items);
    order(wrong, items);
    threads(wrong, items, threads);
    statuses(wrong, threads);
    growth(wrong);
    runners(wrong, items, threads);
    return wrong;
  }

  private void faults(Collection<String> wrong) {
    events.stream()
        .filter(event -> event.status >= 500 || (event.what.equals("artifact") && !event.ok()))
        .forEach(event -> wrong.add(event.what + " was answered " + event.status));
  }

  /// An accepted message is there once, a refused one is not.
  private void messages(Collection<String> wrong, List<JsonNode> items) {
    for (Event event : of("send", "say")) {
      long there =
          items.stream().filter(item -> text(item, "message").equals(event.subject)).count();
      if (there != (event.ok() ? 1 : 0)) {
        wrong.add(
            "%s %s: %d, is there %d times"
                .formatted(event.what, event.subject, event.status, there));
      }
    }
  }

  private void order(Collection<String> wrong, List<JsonNode> items) {
    List<String> texts = items.stream().map(item -> text(item, "message")).toList();
    for (Event one : of("send")) {
      for (Event other : of("send")) {
        if (one.ok()
            && other.ok()
            && one.before(other)
            && texts.indexOf(one.subject) > texts.indexOf(other.subject)) {
          wrong.add(other.subject + " is listed before " + one.subject);
        }
      }
    }
    for (int i = 1; i < items.size(); i++) {
      if (ts(items.get(i)) <= ts(items.get(i - 1))) {
        wrong.add("ts does not grow at item " + i);
      }
    }
  }

  private static void threads(
      Collection<String> wrong, List<JsonNode> items, List<JsonNode> threads) {
    for (int i = 0; i < threads.size(); i++) {
      JsonNode thread = threads.get(i);
      String status = text(thread, "status");
      String next = i + 1 < threads.size() ? text(threads.get(i + 1), "id") : "none";
      String superseded = thread.path("superseded_by").asText("null");
      if (count(items, thread, "user", "message") != 1) {
        wrong.add("not one message of thread " + i);
      }
      if (count(items, thread, "assistant", "final_message") != (SPOKE.contains(status) ? 1 : 0)) {
        wrong.add("the replies of thread " + i + " do not fit " + status);
      }
      if (!superseded.equals(status.equals("interrupted") ? next : "null")) {
        wrong.add("thread " + i + " (" + status + ") is superseded by " + superseded);
      }
      if (LIVE.contains(status) && i + 1 < threads.size()) {
        wrong.add("thread " + i + " is " + status + " and not the last");
      }
    }
  }

  /// A final status never changes.
  private void statuses(Collection<String> wrong, List<JsonNode> threads) {
    for (Event event : of("poll", "interrupt")) {
      String status = status(event);
      String last =
          threads.stream()
              .filter(thread -> text(thread, "id").equals(thread(event)))
              .map(thread -> text(thread, "status"))
              .findFirst()
              .orElse("unknown");
      if (!LIVE.contains(status) && !status.equals(last)) {
        wrong.add("a thread that was " + status + " is " + last);
      }
      of("poll", "interrupt").stream()
          .filter(later -> thread(later).equals(thread(event)) && event.before(later))
          .filter(later -> !LIVE.contains(status) && !status(later).equals(status))
          .forEach(later -> wrong.add("a thread went from " + status + " to " + status(later)));
    }
  }

  /// An item that was seen once is in every later answer.
  private void growth(Collection<String> wrong) {
    for (Event event : of("poll", "list")) {
      of(event.what).stream()
          .filter(later -> later.subject.equals(event.subject) && event.before(later))
          .filter(later -> !ids(later).containsAll(ids(event)))
          .forEach(later -> wrong.add(event.what + ": an item is gone"));
    }
    of("poll").stream()
        .filter(poll -> !SPOKE.contains(status(poll)) && !ids(poll).isEmpty())
        .forEach(poll -> wrong.add("a reply of a thread that is " + status(poll)));
  }

  /// The answer to a result is true: if it was accepted, the thread's reply is this runner's; if
  /// not, the turn was not completed.
  private void runners(Collection<String> wrong, List<JsonNode> items, List<JsonNode> threads) {
    for (JsonNode thread : threads) {
      List<Event> results =
          of("result").stream().filter(event -> event.subject.equals(text(thread, "id"))).toList();
      boolean committed = results.stream().anyMatch(Event::ok);
      boolean completed = text(thread, "status").equals("completed");
      if (!results.isEmpty() && committed != completed) {
        wrong.add("a result was taken: " + committed + ", completed: " + completed);
      }
      if (committed
          && items.stream()
              .noneMatch(item -> text(item, "message").equals("reply of " + text(thread, "id")))) {
        wrong.add("a reply is not its runner's");
      }
    }
  }

  private List<Event> of(String... what) {
    List<String> wanted = List.of(what);
    synchronized (events) {
      return events.stream().filter(event -> wanted.contains(event.what)).toList();
    }
  }

  private static String thread(Event event) {
    return event.what.equals("poll") ? event.subject : text(event.body, "id");
  }

  private static String status(Event event) {
    return event.what.equals("poll")
        ? text(event.body.path("thread"), "status")
        : text(event.body, "status");
  }

  private static List<String> ids(Event event) {
    return stream(event.body.path("items")).map(item -> text(item, "id")).toList();
  }

  private static long count(List<JsonNode> items, JsonNode thread, String role, String type) {
    return items.stream()
        .filter(item -> item.path("thread_id").equals(thread.path("id")))
        .filter(item -> text(item, "role").equals(role) && text(item, "type").equals(type))
        .count();
  }

  private static double ts(JsonNode item) {
    return item.path("ts").asDouble();
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asText();
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return java.util.stream.StreamSupport.stream(array.spliterator(), false);
  }
}
