package agentsessions.runner.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A turn's notes on the files that it left out.
class OmissionNotesTest {
  @Test
  void threeFilesAreNamedAndTheRestIsCounted() {
    OmissionNotes notes = new OmissionNotes();
    IntStream.range(0, 3).forEach(index -> notes.tooLarge("/" + index));
    List<String> three =
        List.of(
            "/0 was left out: larger than what is recorded.",
            "/1 was left out: larger than what is recorded.",
            "/2 was left out: larger than what is recorded.");
    assertEquals(three, notes.sentences());
    notes.tooLarge("/3");
    notes.tooLarge("/4");
    assertEquals(
        "2 more files were left out: larger than what is recorded.", notes.sentences().getLast());
    assertEquals(4, notes.sentences().size());
  }
}
