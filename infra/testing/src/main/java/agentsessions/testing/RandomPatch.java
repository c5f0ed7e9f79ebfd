package agentsessions.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A patch that git has made of two random trees, and what `git apply --numstat` counts in it.
public final class RandomPatch {
  private static final int FILES = 150;
  private static final int MOST_PIECES = 14;
  private static final int ODDS_OF_ZERO = 400;
  private static final List<String> NAMES =
      List.of("x %d", "é%d", "a\"b%d", "t\tab%d", "n\nl%d", " b%d b", "x b%d", "a\\b%d", "-%d");

  /// What lines are made of, as ISO 8859-1, so that each byte may occur.
  private static final List<String> PIECES =
      List.of(
          "\n",
          "\n",
          "\n",
          "\r",
          "\r\n",
          "\u000b",
          "\f",
          "\u001c",
          utf8("\u0085"),
          utf8("\u2028"),
          utf8("\u2029"),
          utf8("\ufeff"),
          "\u00ff\u00fe",
          "\u00e2\u0080",
          "diff --git a/x b/x",
          "@@ -1 +1 @@",
          "--- a/x",
          "+++ b/x",
          "-",
          "+",
          " ",
          "a",
          "\t",
          "\\ No newline at end of file",
          "GIT binary patch",
          "index 1..2");

  /// At the beginning of the record of a file, which ends with a zero byte.
  private static final Pattern COUNT = Pattern.compile("(?<=^|\\x00)(\\d+|-)\\t(\\d+|-)\\t");

  private RandomPatch() {}

  /// Makes it in a folder, and returns it.
  public static Path make(Path folder) throws IOException {
    Random random = new Random(7);
    Path tree = Files.createDirectory(folder.resolve("tree"));
    GitHost.script(tree, "git init -q");
    write(tree, random);
    String before = GitHost.script(tree, "git add -A; git write-tree").strip();
    write(tree, random);
    GitHost.script(
        tree,
        """
        ls | sed -n '1~9p' | while read -r each; do rm -- "$each" || true; done
        git add -A
        git diff-tree -r -M -p --binary --full-index %s "$(git write-tree)" >../patch
        git apply --numstat -z ../patch >../counts 2>../warnings
        """
            .formatted(before));
    return folder.resolve("patch");
  }

  /// For each file what is added and removed, `- -` where it is binary.
  public static List<String> counts(Path folder) throws IOException {
    List<String> counts = new ArrayList<>();
    String all = Files.readString(folder.resolve("counts"), StandardCharsets.ISO_8859_1);
    Matcher count = COUNT.matcher(all);
    while (count.find()) {
      counts.add(count.group(1) + " " + count.group(2));
    }
    return counts;
  }

  /// Bytes as the page takes them.
  public static List<Integer> numbers(byte[] bytes) {
    List<Integer> numbers = new ArrayList<>(bytes.length);
    for (byte each : bytes) {
      numbers.add(each & 0xff);
    }
    return numbers;
  }

  private static void write(Path tree, Random random) throws IOException {
    for (int number = 0; number < FILES; number++) {
      String name = NAMES.get(number % NAMES.size()).formatted(number);
      Files.write(tree.resolve(name), content(random));
    }
  }

  private static byte[] content(Random random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int pieces = random.nextInt(MOST_PIECES); pieces > 0; pieces--) {
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      bytes.writeBytes(piece.getBytes(StandardCharsets.ISO_8859_1));
      if (random.nextInt(ODDS_OF_ZERO) == 0) {
        bytes.write(0);
      }
    }
    return bytes.toByteArray();
  }

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
