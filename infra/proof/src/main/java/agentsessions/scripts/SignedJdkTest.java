package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The signature check of the downloaded JDK: by the vendor's key, if there is a `gpg`. The key
/// here is made for the test.
final class SignedJdkTest {
  private static final Path GPG = Path.of("/usr/bin/gpg");
  private static final String OFFER =
      """
      PATH=/usr/bin:/bin
      export GNUPGHOME=$HOME/keys
      mkdir -m 700 keys
      trap 'gpgconf --kill all' EXIT
      mkdir -p jdk-25/bin
      echo 'JAVA_VERSION="25.0.1"' >jdk-25/release
      touch jdk-25/bin/javac
      chmod +x jdk-25/bin/javac
      tar -czf jdk.tar.gz jdk-25
      gpg --batch --quiet --passphrase '' --quick-gen-key vendor ed25519 sign never
      gpg --batch --detach-sign -o jdk.tar.gz.sig jdk.tar.gz
      gpg --export >key
      gpg --with-colons --list-keys | sed -n 's/^fpr:*\\([0-9A-F]*\\):$/\\1/p' >fingerprint
      """;
  private static final String FETCH =
      ". $scripts/lib/needs.sh\n[ ! -e $HOME/fingerprint ] || adoptium=$(cat $HOME/fingerprint)\n"
          + "fetch_jdk";

  /// A stub of curl with the vendor's key and files, each by the end of its URL.
  private static final String CURL =
      """
      while [ $# -gt 1 ]; do [ $1 = -o ] && to=$2; shift; done
      case $1 in
        *hotspot*) echo "\\"checksum\\": \\"$(sha256sum <$HOME/jdk.tar.gz | cut -c -64)\\", \\"link\\": \\"https://a/jdk.tar.gz\\"" ;;
        *lookup*) cat $HOME/key >$to ;;
        *) cat $HOME/${1##*/} >$to ;;
      esac
      """;

  @TempDir Path folder;
  private ScriptMachine shell;

  @BeforeEach
  void offer() throws Exception {
    assumeTrue(Files.isExecutable(GPG), "needs gpg");
    shell =
        ScriptMachine.with(folder).command("curl", CURL).command("gpg", "exec " + GPG + " \"$@\"");
    ScriptMachine.Ending made = shell.run("cd $HOME\n" + OFFER);
    assertEquals(0, made.status(), made.output());
  }

  @Test
  void whatTheVendorSignedIsKept() throws Exception {
    assertEquals("Downloading a JDK 25 ...\n", fetched(0).output());
    assertTrue(Files.exists(folder.resolve("cache/agent-sessions/jdk/bin/javac")));
  }

  @Test
  void whatAnotherKeySignedIsRefused() throws Exception {
    Files.delete(folder.resolve("fingerprint"));
    assertTrue(fetched(1).output().contains("not signed by Adoptium's key"));
  }

  @Test
  void anotherArchiveIsRefusedAlsoWithItsChecksum() throws Exception {
    Files.write(folder.resolve("jdk.tar.gz.sig"), new byte[] {1, 2, 3});
    assertTrue(fetched(1).output().contains("not signed by Adoptium's key"));
    Files.delete(folder.resolve("jdk.tar.gz.sig"));
    assertTrue(fetched(1).output().contains("not signed by Adoptium's key"));
  }

  @Test
  void withoutTheKeyItIsSaid() throws Exception {
    Files.delete(folder.resolve("key"));
    assertTrue(fetched(0).output().contains("Only the archive's checksum is held"));
  }

  @Test
  void whereThereIsNoGpgTheChecksumIsAll() throws Exception {
    Files.delete(folder.resolve("bin/gpg"));
    assertEquals("Downloading a JDK 25 ...\n", fetched(0).output());
  }

  private ScriptMachine.Ending fetched(int status) throws IOException, InterruptedException {
    ScriptMachine.Ending ending = shell.run(FETCH);
    assertEquals(status, ending.status(), ending.output());
    return ending;
  }
}
