package agentsessions.runner.network.git;

import agentsessions.runner.network.git.SessionBranch.Commit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// A reader of the commits in a pack, which git puts before all other objects. Each commit's id is
/// computed from its content, as the host will do, so that the maker of a pack cannot fake a
/// parent. Commits that are stored as a difference to another object are not read.
final class PackedCommits implements SessionBranch.History {
  private static final int PACK = 0x5041434b;
  private static final int BEGIN = 3 * Integer.BYTES;
  private static final int COMMIT = 1;
  private static final String TREE = "tree ";
  private static final String PARENT = "parent ";
  private static final int SHA1 = 40;

  /// The most bytes of all commits together, and of their compressed form.
  private static final int MOST = 1024 * 1024;

  /// The shift of the last seven bits of a size; larger sizes are refused.
  private static final int LARGEST = 18;

  private static final int PIECE = 512;

  private final InputStream rest;
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private final PushbackInputStream pack = new PushbackInputStream(new Seen(), PIECE);
  private int content;

  private boolean isRead;

  /// By their ids.
  private final Map<String, Commit> commits = new HashMap<>();

  /// @param pack is read only as far as needed
  PackedCommits(InputStream pack) {
    this.rest = pack;
  }

  /// Whether one commit descends from another by commits that are all in the pack, except the last.
  ///
  /// @throws IOException if it is not a pack, or its commits exceed the limit
  @Override
  public boolean descends(String from, String to) throws IOException {
    read(from.length() == SHA1 ? "SHA-1" : "SHA-256");
    Deque<String> next = new ArrayDeque<>(List.of(from));
    Set<String> met = new HashSet<>();
    while (!next.isEmpty()) {
      String commit = next.remove();
      if (commit.equals(to)) {
        return true;
      }
      if (met.add(commit)) {
        next.addAll(
            Optional.ofNullable(commits.get(commit)).map(Commit::parents).orElse(List.of()));
      }
    }
    return false;
  }

  @Override
  public Optional<Commit> commit(String id) throws IOException {
    read(id.length() == SHA1 ? "SHA-1" : "SHA-256");
    return Optional.ofNullable(commits.get(id));
  }

  /// The unchanged pack from its beginning.
  InputStream whole() {
    return new SequenceInputStream(new ByteArrayInputStream(seen.toByteArray()), rest);
  }

  private void read(String hash) throws IOException {
    if (isRead) {
      return;
    }
    isRead = true;
    int left = count();
    for (int first = next(left--); isCommit(first); first = next(left--)) {
      byte[] commit = inflated(size(first));
      commits.put(id(commit, hash), parsed(new String(commit, StandardCharsets.ISO_8859_1)));
    }
  }

  /// Reads the header of a pack (signature, version, number of objects) and returns the number of
  /// objects.
  private int count() throws IOException {
    ByteBuffer begin = ByteBuffer.wrap(pack.readNBytes(BEGIN));
    if (begin.remaining() < BEGIN || begin.getInt(0) != PACK) {
      throw new EOFException("no pack");
    }
    return begin.getInt(BEGIN - Integer.BYTES);
  }

  /// The first byte of the next object; 0 after the last one.
  private int next(int left) throws IOException {
    return left == 0 ? 0 : next();
  }

  private static boolean isCommit(int first) {
    return (first >> 4 & 7) == COMMIT;
  }

  /// The size in an object's header: four bits in the first byte, seven in each that follows; the
  /// highest bit says that another byte follows.
  private int size(int first) throws IOException {
    int size = first & 15;
    int last = first;
    for (int shift = 4; (last & 128) != 0; shift += 7) {
      last = next();
      if (shift > LARGEST) {
        throw new IOException("too large a commit");
      }
      size |= (last & 127) << shift;
    }
    return size;
  }

  private byte[] inflated(int size) throws IOException {
    content += size;
    if (content > MOST) {
      throw new IOException("too many commits");
    }
    Inflater inflater = new Inflater();
    try {
      return inflated(new byte[size + 1], inflater);
    } catch (DataFormatException broken) {
      throw new IOException("no pack", broken);
    } finally {
      inflater.end();
    }
  }

  /// @param commit buffer of one byte more than the announced size
  private byte[] inflated(byte[] commit, Inflater inflater)
      throws IOException, DataFormatException {
    byte[] piece = new byte[PIECE];
    int end = 0;
    int length = 0;
    while (!inflater.finished()) {
      if (inflater.needsInput()) {
        end = pack.read(piece);
        inflater.setInput(piece, 0, Math.max(0, end));
      }
      length += inflater.inflate(commit, length, commit.length - length);
      if (end < 0 || length == commit.length || inflater.needsDictionary()) {
        throw new DataFormatException("no commit");
      }
    }
    pack.unread(piece, end - inflater.getRemaining(), inflater.getRemaining());
    return Arrays.copyOf(commit, length);
  }

  private static String id(byte[] commit, String hash) {
    try {
      MessageDigest digest = MessageDigest.getInstance(hash);
      digest.update("commit %d\0".formatted(commit.length).getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest.digest(commit));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Commit parsed(String text) {
    String[] lines = text.split("\n", -1);
    return new Commit(
        lines[0].startsWith(TREE) ? lines[0].substring(TREE.length()) : "",
        Arrays.stream(lines)
            .skip(1)
            .takeWhile(line -> line.startsWith(PARENT))
            .map(line -> line.substring(PARENT.length()))
            .toList());
  }

  private int next() throws IOException {
    int next = pack.read();
    if (next < 0) {
      throw new EOFException("a pack ended early");
    }
    return next;
  }

  /// The rest of the pack; the bytes that are read are kept.
  private final class Seen extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
      int read = rest.read(bytes, from, most);
      seen.write(bytes, from, Math.max(0, read));
      if (seen.size() > MOST) {
        throw new IOException("too many commits");
      }
      return read;
    }
  }
}
