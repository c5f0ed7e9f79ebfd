package agentsessions.runner.sandbox;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/// The archive of a session's folder as one stream: tar, compressed by zstd. Holds files, folders
/// and symbolic links with their modes and times; unreadable files, sockets and the like are left
/// out.
public final class Archive {
  /// The mode bits that are kept: permissions, without the file type, setuid and the like.
  private static final int PERMISSIONS = 0777;

  private static final String MODE = "unix:mode";

  private Archive() {}

  /// Writes the files and folders with these names, if they exist.
  ///
  /// @param places the path of each name; called with a name of the list
  public static void write(Function<String, Path> places, List<String> names, OutputStream out)
      throws IOException {
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new BufferedOutputStream(new ZstdOutputStream(out)), "UTF-8")) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      tar.setAddPaxHeadersForNonAsciiNames(true);
      for (String name : names) {
        Path path = places.apply(name);
        if (Files.exists(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
          Files.walkFileTree(path, new Writer(path, name, tar));
        }
      }
    }
  }

  /// Unpacks into new folders; nothing is written anywhere else, whatever the names in the archive
  /// are.
  ///
  /// @param places the path for each first part of a name
  public static void read(InputStream in, Function<String, Path> places) throws IOException {
    Deque<Later> later = new ArrayDeque<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new ZstdInputStream(new BufferedInputStream(in)), "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = path(entry.getName(), places);
        unpack(entry, tar, path);
        later.push(new Later(entry, path));
      }
    }
    // Links last, so that no entry is written through one; folders after what is in them.
    for (Later rest : later) {
      rest.finish();
    }
  }

  private static Path path(String entry, Function<String, Path> places) throws IOException {
    Path name = Path.of(entry).normalize();
    String first = name.isAbsolute() ? "" : name.getName(0).toString();
    if (first.isEmpty() || first.equals("..")) {
      throw new IOException("a name that leads out of the sandbox");
    }
    Path place = places.apply(first);
    return name.getNameCount() == 1 ? place : place.resolve(name.subpath(1, name.getNameCount()));
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path path)
      throws IOException {
    Files.createDirectories(path.getParent());
    if (entry.isDirectory()) {
      Files.createDirectories(path);
    } else if (!entry.isSymbolicLink()) {
      Files.copy(content, path);
    }
  }

  private record Later(TarArchiveEntry entry, Path path) {
    void finish() throws IOException {
      if (entry.isSymbolicLink()) {
        Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        return;
      }
      Files.setAttribute(path, MODE, entry.getMode() & PERMISSIONS);
      Files.setLastModifiedTime(path, entry.getLastModifiedTime());
    }
  }

  private static final class Writer extends SimpleFileVisitor<Path> {
    private final Path place;
    private final String named;
    private final TarArchiveOutputStream tar;

    private Writer(Path place, String named, TarArchiveOutputStream tar) {
      this.place = place;
      this.named = named;
      this.tar = tar;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
        throws IOException {
      put(entry(path, name(path) + "/", attributes), path);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
      if (attributes.isSymbolicLink()) {
        TarArchiveEntry link = new TarArchiveEntry(name(path), TarConstants.LF_SYMLINK);
        link.setLinkName(Files.readSymbolicLink(path).toString());
        tar.putArchiveEntry(link);
        tar.closeArchiveEntry();
      } else if (attributes.isRegularFile() && Files.isReadable(path)) {
        put(entry(path, name(path), attributes), path);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException unreadable) {
      return FileVisitResult.CONTINUE;
    }

    private String name(Path path) {
      String below = place.relativize(path).toString();
      return below.isEmpty() ? named : named + "/" + below;
    }

    private static TarArchiveEntry entry(Path path, String name, BasicFileAttributes attributes)
        throws IOException {
      TarArchiveEntry entry = new TarArchiveEntry(name);
      entry.setMode(mode(path));
      entry.setLastModifiedTime(attributes.lastModifiedTime());
      entry.setSize(attributes.isRegularFile() ? attributes.size() : 0);
      return entry;
    }

    private void put(TarArchiveEntry entry, Path path) throws IOException {
      tar.putArchiveEntry(entry);
      if (!entry.isDirectory()) {
        Files.copy(path, tar);
      }
      tar.closeArchiveEntry();
    }
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, MODE) & PERMISSIONS;
  }
}
