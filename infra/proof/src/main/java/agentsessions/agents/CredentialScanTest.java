package agentsessions.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.local.LocalService;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// An agent that looks for the credential of its private repository, in the real sandbox: it reads
/// the memory, environment and command line of every process it sees, and every file.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
final class CredentialScanTest {
  private static final int SPELLED = 6;
  private static final String MARK = "planted-in-the-memory";
  private static final String HEADER =
      Base64.getEncoder()
          .encodeToString((GitHost.USER + ":" + GitHost.PASSWORD).getBytes(StandardCharsets.UTF_8));

  /// The words to look for are patterns with a class for each letter, or the scan would find its
  /// own text. The mark is put together at run time, in the places in which the scan must find it.
  private static final String SCAN =
      """
      git fetch origin 2>&1; git push origin HEAD:agent/scanned 2>&1
      perl - <<'END'
      my %%words = ('mark' => qr/%s/, 'password' => qr/%s/, 'header' => qr/%s/);
      my %%found;
      sub look {
        my ($text, $place) = @_;
        $$text =~ $words{$_} and $found{"$_ in $place"} = 1 for keys %%words;
      }
      sub memory {
        my ($process, $name) = @_;
        open my $maps, '<', "$process/maps" or return;
        open my $memory, '<:raw', "$process/mem" or return;
        my $bytes = 0;
        while (<$maps>) {
          my ($from, $to, $rest) = /^([0-9a-f]{1,15})-([0-9a-f]{1,15}) (r.*)/ or next;
          $from = hex $from; $to = hex $to;
          sysseek $memory, $from, 0 or next;
          my $text = '';
          while ($from < $to) {
            my $read = sysread $memory, $text, ($to - $from < 1 << 20 ? $to - $from : 1 << 20), length $text;
            last unless $read;
            $from += $read; $bytes += $read;
            look(\\$text, "memory of $name");
            $text = substr $text, -100;
          }
        }
        $found{"read $name"} = 1 if $bytes;
      }
      sub file {
        my ($path, $place) = @_;
        -f $path or return;
        open my $file, '<:raw', $path or return;
        my $text = '';
        while (sysread $file, $text, 1 << 20, length $text) {
          look(\\$text, $place); $text = substr $text, -100;
        }
      }
      my $mark = join '-', 'planted', 'in', 'the', 'memory';
      local $ENV{MARK} = $mark;
      open my $child, '|-', 'cat', '-' or die;
      for my $path ('/tmp/mark', '/home/agent/mark') {
        open my $file, '>', $path or die; print $file $mark; close $file;
      }
      for my $process (glob '/proc/[0-9]*') {
        open my $comm, '<', "$process/comm" or next; chomp(my $name = <$comm>);
        open my $line, '<', "$process/cmdline"; $name = 'bridge' if <$line> =~ m{/opt/bridge};
        file("$process/environ", "environment of $name");
        file("$process/cmdline", "command of $name");
        memory($process, $name);
      }
      open my $paths, '-|', qw(find /workspace /home/agent /io /tmp /run /etc /var /opt /dev/shm -xdev -type f -print0) or die;
      { local $/ = "\\0"; while (<$paths>) { chomp; file($_, "file $_"); } }
      print "$_\\n" for sort keys %%found;
      END
      """
          .formatted(pattern(MARK), pattern(GitHost.PASSWORD), pattern(HEADER));

  @TempDir Path folder;

  @Test
  void anAgentFindsWhatItHoldsAndNoCredentialOfItsRepository(ScriptedService scripted)
      throws IOException {
    LocalService service = scripted.service();
    assumeTrue(service.isolation().equals("bubblewrap"), "needs bubblewrap");
    try (GitHost host = new GitHost(folder.resolve("host"))) {
      Client client = Client.of(service.baseUrl(), List.of(service.createKey("scan"))).patient();
      seed(host.create("team/app.git"));
      SessionHandle session =
          client.create("shell", SCAN + "env > ../seen; cat .git/config >> file", work(host));
      Set<String> found = session.first().completed().lines().collect(Collectors.toSet());
      for (String place :
          List.of(
              "memory of perl",
              "memory of cat",
              "environment of cat",
              "file /tmp/mark",
              "file /home/agent/mark")) {
        assertTrue(found.contains("mark in " + place), found::toString);
      }
      assertEquals(List.of(), found.stream().filter(CredentialScanTest::isCredential).toList());
      assertTrue(
          found.contains("read bridge"), () -> "the way to the proxy was not read: " + found);
      assertTrue(
          host.requests().stream().anyMatch(request -> request.endsWith(HEADER)),
          "the host was told the credential");
      theRestIsClean(session);
    }
  }

  private static boolean isCredential(String line) {
    return line.startsWith("password in ") || line.startsWith("header in ");
  }

  /// All that a client can read of the session: itself, its history, its artifacts.
  private static void theRestIsClean(SessionHandle session) {
    List<String> all = new ArrayList<>();
    all.add(session.load().toString());
    all.add(session.first().poll().toString());
    all.add(session.first().transcript().toString());
    for (JsonNode artifact : session.artifacts()) {
      all.add(PresignedLink.content(artifact));
    }
    assertEquals(5, all.size(), "a patch and a file");
    for (String text : all) {
      assertFalse(text.contains(GitHost.PASSWORD) || text.contains(HEADER), text);
    }
  }

  /// A pattern for a word which does not contain that word: a literal beginning for speed, then
  /// each letter as a class that also has a byte which no text contains.
  private static String pattern(String word) {
    StringBuilder pattern = new StringBuilder(word.substring(0, SPELLED));
    for (int index = SPELLED; index < word.length(); index++) {
      pattern.append("[%s\\x%x]".formatted(word.charAt(index), 0x80 | (index * 73 & 0x7f)));
    }
    return pattern.toString();
  }

  private void seed(Path bare) throws IOException {
    GitHost.script(
        Files.createDirectory(folder.resolve("seed")),
        "git init -q -b main; echo one > file; git add .; git commit -qm one; git push -q %s main"
            .formatted(bare));
  }

  private static Map<String, ?> work(GitHost host) {
    Map<String, ?> credential = Map.of("username", GitHost.USER, "token", GitHost.PASSWORD);
    Map<String, ?> push = Map.of("branch", "agent/scanned");
    return Map.of(
        "repositories",
        List.of(Map.of("url", host.url("team/app.git"), "credential", credential, "push", push)));
  }
}
