package agentsessions.runner.capture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The transcript's notes on what a turn left out: the first three files of each reason by name,
/// the others as a count.
public final class OmissionNotes {
  private static final int NAMED = 3;

  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<String, Integer> leftOut = new LinkedHashMap<>();
  private final List<String> sentences = new ArrayList<>();

  void tooLarge(String path) {
    named("larger than what is recorded", path);
  }

  void tooMuch(String path) {
    named("with it the turn's files would be more than what is recorded of a turn", path);
  }

  void hollow(String path) {
    named("most of it is a hole", path);
  }

  void notStored(String path) {
    named("could not be stored now", path);
  }

  void tooMany(int most) {
    count("%%d more files were left out: a turn records at most %d.".formatted(most));
  }

  void unreadable() {
    count("%d files or folders were left out: they could not be read.");
  }

  void unspeakable() {
    count("%d files were left out: their names are not valid UTF-8, or too long.");
  }

  void notExamined(int most) {
    count("%%d files were not looked at: the workspace has more than %d.".formatted(most));
  }

  public void replyCut() {
    sentences.add(
        "The reply was longer than 1 MiB, or than what can be sent; the rest was cut off.");
  }

  public List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    leftOut.forEach((why, count) -> addUnnamed(all, why, count - NAMED));
    counts.forEach((sentence, count) -> all.add(sentence.formatted(count)));
    return all;
  }

  private static void addUnnamed(List<String> all, String why, int more) {
    if (more > 0) {
      all.add("%d more files were left out: %s.".formatted(more, why));
    }
  }

  private void named(String why, String path) {
    if (leftOut.merge(why, 1, Integer::sum) <= NAMED) {
      sentences.add("%s was left out: %s.".formatted(path, why));
    }
  }

  private void count(String sentence) {
    counts.merge(sentence, 1, Integer::sum);
  }
}
