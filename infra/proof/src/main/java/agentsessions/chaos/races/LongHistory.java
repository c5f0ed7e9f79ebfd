package agentsessions.chaos.races;

import agentsessions.chaos.rig.KeyRotatingClient;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Lists;
import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// A long history, read back completely and in order: through `next` links with every combination
/// of filters, and through `new_messages` links while it is being written.
public final class LongHistory {
  private static final int TURNS = 10;
  private static final int BATCH = 50;
  private static final String ALL = "/messages?type=message&type=final_message&type=tool_call";

  private final Rig rig;
  private final RigSession talk;
  private final List<String> failures = new ArrayList<>();
  private int possible;
  private int combinations;

  public LongHistory(Rig rig) {
    this.rig = rig;
    talk = new RigSession(rig, 2);
  }

  public List<String> failures() {
    return failures;
  }

  /// Writes about `count` messages, and reads them with all filters.
  ///
  /// @param stride one in so many combinations of filters is read
  public LongHistory readBack(int count, int stride) throws Exception {
    List<String> said = converse(count / TURNS, BATCH);
    KeyRotatingClient reader = new KeyRotatingClient(rig, talk.workspace());
    List<JsonNode> all = reader.items(talk.path() + ALL + "&limit=100");
    judge("everything", texts(all), said);
    for (Set<String> types : Sets.powerSet(Set.of("message", "final_message", "tool_call"))) {
      for (Set<String> roles : Sets.powerSet(Set.of("user", "assistant"))) {
        for (String thread : List.of("", all.get(all.size() / 2).path("thread_id").asText())) {
          for (String after : List.of("", all.get(all.size() / 3).path("ts").asText())) {
            if (possible++ % stride == 0) {
              read(reader, all, new Filter(types, roles, thread, after));
            }
          }
        }
      }
    }
    System.out.printf(
        "%d messages read back with %d combinations of filters: %d pages%n",
        all.size(), combinations, reader.requests());
    return this;
  }

  /// Two programs follow the history while it is written, three messages at a time.
  public LongHistory follow(int count) throws Exception {
    talk.create("first");
    String start = talk.path() + ALL + "&limit=17";
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<String>> writer = threads.submit(() -> converse(count / TURNS, 3));
      Future<List<String>> one = threads.submit(() -> followed(start, writer));
      Future<List<String>> two = threads.submit(() -> followed(start, writer));
      List<String> said = new ArrayList<>(List.of("first"));
      said.addAll(writer.get());
      judge("a follower", one.get(), said);
      judge("another follower", two.get(), said);
      System.out.printf("%d messages followed by two while they were said%n", said.size());
    }
    return this;
  }

  /// Plays a session of some turns, each of `count` messages, sent in batches of `batch`; each
  /// fourth turn is interrupted by the next.
  ///
  /// @return all texts, in order
  private List<String> converse(int count, int batch) throws Exception {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < TURNS; i++) {
      String message = "turn " + i;
      TurnIds turn = talk.session().isEmpty() ? talk.create(message) : talk.say(message);
      said.add(message);
      StubRunner runner = talk.runner(turn).claimed();
      for (int sent = 0; sent < count; sent += batch) {
        List<Map<String, String>> words = words(i, sent, Math.min(batch, count - sent));
        runner.say(sent, words).expect(200);
        words.forEach(word -> said.add(word.getOrDefault("text", "")));
      }
      if (i % 4 != 3) {
        runner.result("reply " + i, List.of()).expect(200);
        said.add("reply " + i);
      }
      runner.release().expect(200);
    }
    return said;
  }

  /// The events of a batch, of which each third is a tool call.
  private static List<Map<String, String>> words(int turn, int from, int count) {
    return Stream.iterate(from, i -> i + 1)
        .limit(count)
        .map(i ->
            i % 3 == 2
                ? Map.of(
                    "type",
                    "tool_call",
                    "text",
                    "{\"name\":\"%d\",\"input\":%d}".formatted(turn, i))
                : Map.of("type", "message", "text", "word %d of %d".formatted(i, turn)))
        .toList();
  }

  /// The texts that a client sees which follows `next`, else `new_messages`, until the writer is
  /// done and nothing more comes.
  private List<String> followed(String start, Future<?> writer) {
    KeyRotatingClient reader = new KeyRotatingClient(rig, talk.workspace());
    List<String> seen = new ArrayList<>();
    for (String next = start; ; ) {
      boolean last = writer.isDone();
      JsonNode page = reader.page(next);
      seen.addAll(texts(Lists.newArrayList(page.path("items"))));
      String more = page.at("/_links/next/href").asText();
      if (more.isEmpty() && last && page.path("items").isEmpty()) {
        return seen;
      }
      next = more.isEmpty() ? page.at("/_links/new_messages/href").asText() : more;
    }
  }

  private void read(KeyRotatingClient reader, List<JsonNode> all, Filter filter) throws Exception {
    List<JsonNode> expected = all.stream().filter(filter::lets).toList();
    String query = filter.query();
    int limit = 40 + combinations++ % 61;
    String ascending = talk.path() + "/messages?limit=" + limit + query;
    judge(query, texts(reader.items(ascending)), texts(expected));
    String descending = ascending + "&direction=desc";
    judge(descending, texts(reader.items(descending)), texts(expected.reversed()));
  }

  private void judge(String what, List<String> seen, List<String> wanted) {
    if (!seen.equals(wanted)) {
      failures.add(
          "%s: %d instead of %d, missing %s, too much %s"
              .formatted(
                  what,
                  seen.size(),
                  wanted.size(),
                  Sets.difference(Set.copyOf(wanted), Set.copyOf(seen)).stream().limit(3).toList(),
                  Sets.difference(Set.copyOf(seen), Set.copyOf(wanted)).stream()
                      .limit(3)
                      .toList()));
    }
  }

  private static List<String> texts(List<JsonNode> items) {
    return items.stream().map(item -> item.path("message").asText()).toList();
  }

  /// A combination of filters; an empty one is not used. Without types the listing leaves tool
  /// calls out.
  private record Filter(Set<String> types, Set<String> roles, String thread, String after) {
    boolean lets(JsonNode item) {
      Set<String> shown = types.isEmpty() ? Set.of("message", "final_message") : types;
      return shown.contains(item.path("type").asText())
          && (roles.isEmpty() || roles.contains(item.path("role").asText()))
          && (thread.isEmpty() || thread.equals(item.path("thread_id").asText()))
          && (after.isEmpty() || item.path("ts").asDouble() > Double.parseDouble(after));
    }

    String query() {
      StringBuilder query = new StringBuilder();
      types.forEach(type -> query.append("&type=").append(type));
      roles.forEach(role -> query.append("&role=").append(role));
      return query
          .append(thread.isEmpty() ? "" : "&thread_id=" + thread)
          .append(after.isEmpty() ? "" : "&gts=" + after)
          .toString();
    }
  }
}
