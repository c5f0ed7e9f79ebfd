package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.sandbox.InstalledTools;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.SessionFolders;
import agentsessions.runner.sandbox.Unconfined;
import agentsessions.runner.sandbox.process.ControlGroups;
import agentsessions.testing.GitHost;
import agentsessions.wire.Work;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The patch of any change gives the same git tree, on a fresh clone of the base, and finding it
/// leaves the agent's repository as it was.
///
/// Changes are made up from numbered seeds, which are the same sixty each time. More:
/// `-Dpatch.tries=500`; others: `-Dpatch.seed=random`, or the first of them, as a failure names it.
class PatchTest {
  private static final String STATE =
      """
      find .git -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
      find .git ! -path '.git/objects/*' -newer ../before
      """;
  private static final Work.Repository REPOSITORY =
      new Work.Repository(
          1,
          "https://host/app.git",
          null,
          "app",
          0,
          false,
          null,
          null,
          null,
          null,
          null,
          List.of(),
          null);

  private static final GitRemote REMOTE =
      new GitRemote(
          1, URI.create("https://host/app.git"), Optional.empty(), false, Optional.empty());

  @TempDir Path folder;
  private SessionFolder session;
  private GitProxy proxy;
  private Path work;

  /// The state in which the agent leaves its changes.
  enum Done {
    NOTHING,
    STAGED,
    COMMITTED,
    HALF
  }

  @BeforeEach
  void open() throws IOException {
    session =
        new SessionFolders(folder, Optional.empty())
            .of(UUID.randomUUID().toString())
            .open(Map.of());
    proxy = GitProxy.onLoopback(List.of(), new Addresses(false));
    work = Files.createDirectory(session.work().resolve("app"));
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  static LongStream seeds() {
    long tries = Long.getLong("patch.tries", 60);
    String first = System.getProperty("patch.seed", "1");
    return first.equals("random")
        ? ThreadLocalRandom.current().longs(tries, 0, Long.MAX_VALUE)
        : LongStream.range(0, tries).map(next -> Long.parseLong(first) + next);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void patchOnAFreshCloneGivesTheSameTree(long seed) throws Exception {
    Random random = new Random(seed);
    List<Generated> trees = Generated.some(2, random);
    Done done = Done.values()[random.nextInt(Done.values().length)];
    assertSameTree(trees.getFirst(), trees.getLast(), done);
  }

  private void assertSameTree(Generated base, Generated changes, Done done) throws Exception {
    String commit = commit(base);
    Generated after = changes.over(base);
    after.write(work);
    did(done);
    Files.createFile(session.work().resolve("before"));
    String state = GitHost.script(work, STATE);
    RepositoryState.Seen seen = look(commit);
    assertEquals(state, GitHost.script(work, STATE));
    assertEquals(GitHost.script(work, "git add -A; git write-tree").strip(), seen.tree());
    assertEquals(seen.tree(), applied(commit, seen));
  }

  /// `git apply` reads no name with a space before a slash from a header alone, and a binary change
  /// has nothing else.
  @Test
  void binaryFileBelowAFolderWithATrailingSpaceIsApplied() throws Exception {
    Generated base = new Generated(Map.of());
    Generated.File binary = new Generated.File(Generated.Kind.EXECUTABLE, new byte[] {-1, 0, 1});
    assertSameTree(
        base,
        new Generated(Map.of("trailing /dir/b", binary, "trailing / /c", binary)),
        Done.NOTHING);
  }

  /// Git then says of the folder's files that their names are too long, and goes on.
  @Test
  void folderThatBecomesALinkToNowhereIsApplied() throws Exception {
    byte[] target = "x".repeat(297).getBytes(StandardCharsets.UTF_8);
    assertSameTree(
        new Generated(
            Map.of("folder/deep/dir", new Generated.File(Generated.Kind.FILE, new byte[] {1}))),
        new Generated(Map.of("folder", new Generated.File(Generated.Kind.LINK, target))),
        Done.NOTHING);
  }

  /// Git calls the link inside a renamed one, and does not apply such a patch.
  @Test
  void linkThatBecomesAFolderWithTheSameLinkIsApplied() throws Exception {
    byte[] target = {'x'};
    Generated.File link = new Generated.File(Generated.Kind.LINK, target);
    Generated.File removed = new Generated.File(Generated.Kind.FILE, new byte[0]);
    assertSameTree(
        new Generated(Map.of("link", link)),
        new Generated(Map.of("link", removed, "link/deep", link, "link/file", removed)),
        Done.NOTHING);
  }

  /// To git it is binary, and a shell runs it: a person has to see its lines.
  @Test
  void textWithAZeroByteIsShown() throws Exception {
    byte[] text = "reboot\0\n".getBytes(StandardCharsets.UTF_8);
    assertSameTree(
        new Generated(Map.of()),
        new Generated(Map.of("a [b]*\\c/\"d", new Generated.File(Generated.Kind.FILE, text))),
        Done.NOTHING);
    assertTrue(Files.readString(folder.resolve("patch")).contains("+reboot\0\n"), "its line");
  }

  private String commit(Generated base) throws IOException {
    GitHost.script(work, "git init -q -b main");
    base.write(work);
    return GitHost.script(
            work, "git add -A; git commit -q --allow-empty -m base; git rev-parse HEAD")
        .strip();
  }

  private void did(Done done) {
    switch (done) {
      case NOTHING -> {}
      case STAGED -> GitHost.script(work, "git add -A");
      case COMMITTED -> GitHost.script(work, "git add -A; git commit -q --allow-empty -m done");
      case HALF ->
          GitHost.script(
              work,
              "git ls-files -zmo | head -zn 1 | xargs -0r git --literal-pathspecs add -- ; git commit -qm half || true");
    }
  }

  private RepositoryState.Seen look(String base) throws Exception {
    Path io = session.makeTurnFolder("");
    ScriptRunner scripts =
        new ScriptRunner(
            session,
            () ->
                new Unconfined(
                    session,
                    io,
                    new InstalledTools(Optional.empty()),
                    Limits.STANDARD,
                    ControlGroups.NONE,
                    false,
                    Optional.empty()),
            Limits.STANDARD,
            lost -> {});
    GitScripts git = new GitScripts(scripts, io.toString(), proxy, NetworkAccess.UNRESTRICTED);
    RepositoryState state =
        new RepositoryInspection(git, session, io, 1, _ -> {})
            .run(REPOSITORY, base, REMOTE)
            .state();
    Files.copy(io.resolve("patch-1"), folder.resolve("patch"));
    return assertInstanceOf(RepositoryState.Seen.class, state, state::toString);
  }

  private String applied(String base, RepositoryState.Seen seen) {
    assertTrue(seen.isChanged() || seen.files() == 0, seen::toString);
    return GitHost.script(
            folder,
            """
            git clone -q -n %s fresh; cd fresh; git checkout -q %s
            [ ! -s ../patch ] || git apply --index --whitespace=nowarn ../patch
            git write-tree
            """
                .formatted(work, base))
        .strip();
  }
}
