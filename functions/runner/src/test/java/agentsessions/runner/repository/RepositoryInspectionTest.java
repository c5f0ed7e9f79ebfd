package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.Bench;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The states in which an agent can leave a clone: how many files its patch has, and which
/// repositories inside of it the transcript names. Any change of files is [PatchTest]'s.
class RepositoryInspectionTest {
  private static final Pattern INSIDE =
      Pattern.compile("inside of another repository are not in the patch: app/([^\"]*)");

  @TempDir Path folder;
  private GitHost host;
  private Bench bench;

  @BeforeEach
  void open() throws IOException {
    host = new GitHost(folder.resolve("host"));
    Path bare = host.create("team/app.git");
    Path seed = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(
        seed,
        """
        git init -q -b main; echo one > file; mkdir -p dir/deep; echo two > dir/deep/two; ln -s file link
        git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,lib
        git add file dir link; git commit -qm one; git push -q %s main
        """
            .formatted(bare));
    bench = Bench.sandboxed(folder.resolve("bench"));
    bench.claim(Bench.repository(host));
  }

  @AfterEach
  void close() {
    if (bench != null) {
      bench.close();
    }
    host.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          touch file                                                              | 0 |
          cp -p file /tmp/f; echo eno > file; touch -r /tmp/f file                | 1 |
          echo x > file; git add file; echo one > file                            | 0 |
          git update-index --assume-unchanged file; echo x > file                 | 1 |
          git update-index --assume-unchanged file; rm file                       | 1 |
          git update-index --skip-worktree file; echo x > file                    | 1 |
          git update-index --skip-worktree file; rm file                          | 0 |
          echo n > new; git add -N new                                            | 1 |
          echo n > new; git add -N new; rm new                                    | 0 |
          echo n > new; git add new; rm new                                       | 0 |
          git update-index --split-index; chmod +x file                           | 1 |
          git update-index --split-index; rm .git/sharedindex.*; chmod +x file    | 1 |
          git config core.splitIndex true; echo out > .gitignore; echo n > out; git add -f out; for n in $(seq 30); do echo $n > f$n; git add f$n; rm f$n; done; rm .gitignore | 1 |
          git sparse-checkout set --sparse-index dir; rm dir/deep/two             | 1 |
          rm -rf .git/info; touch .git/info; echo x > file                        | 1 |
          rm -rf .git/objects/info; touch .git/objects/info; echo x > file        | 1 |
          mkfifo .git/objects/info/alternates; echo x > file                      | 1 |
          for n in $(seq 99); do ln -s x .git/sharedindex.$n; done; echo x > file | 1 |
          rm .git/index; mkfifo .git/index; echo x > file                         | 1 |
          rm .git/index; ln -s /etc/passwd .git/index; echo x > file              | 1 |
          chmod -R go= .git; umask 077; echo n > new; git add new                 | 1 |
          echo '[[[' > .git/config; echo x > file                                 | 1 |
          git config core.bare true; git config core.worktree /usr; echo x > file | 1 |
          mkfifo .git/shallow .git/packed-refs; rm -rf .git/refs; echo x > file   | 1 |
          rm .git/index                                                           | 0 |
          chmod 600 file                                                          | 0 |
          git config core.fileMode false; chmod +x file                           | 1 |
          git mv file moved                                                       | 1 |
          rm -rf dir; ln -s link dir                                              | 2 |
          n=$(printf '\\377'); echo n > n$n; printf 'a\\0' > o$n                   | 2 |
          rm file; mkdir -p file/x; echo n > file/x/y                             | 2 |
          mkdir .git/info; echo x > .git/info/exclude; echo n > x; echo n > y                      | 1 |
          mkdir lib; echo n > lib/n                                               | 0 |
          rmdir lib                                                               | 0 | lib
          rmdir lib; echo n > lib                                                 | 0 | lib
          rmdir lib; git init -q lib; echo n > lib/n; git -C lib add n; git -C lib commit -qm n | 0 | lib
          git update-index --cacheinfo 160000,2222222222222222222222222222222222222222,lib | 1 |
          git rm -q --cached lib                                                  | 1 |
          git init -q inner; echo n > inner/n                                     | 0 | inner/
          mkdir a; git init -q a/inner; git -C a/inner commit -q --allow-empty -m n; echo n > a/n | 1 | a/inner/
          rm file; git init -q file; git -C file commit -q --allow-empty -m n     | 1 | file/
          git checkout -qb o; echo o > file; git commit -qam o; git checkout -q main; echo p > file; git commit -qam p; git merge -q o | 1 |
          git checkout -qb o; echo o > file; git commit -qam o; git checkout -q main; git rm -q file; git commit -qm p; git merge -q o; rm file | 1 |
          git checkout -qb o; echo p > file; git commit -qam o; git checkout -q main; git rm -q file; git commit -qm p; git merge -q o; rm -f file; mkdir file; echo n > file/n | 2 |
          """)
  void patchHasTheFilesThatAreChanged(String script, int files, String inside) throws IOException {
    JsonNode result =
        bench.run(
            "export GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=n; (%s) > /dev/null 2>&1; true"
                .formatted(script));
    JsonNode report = result.at("/repositories/0");
    assertEquals(files, report.path("files_changed").asInt(), result::toString);
    assertEquals(
        inside == null ? "" : inside,
        INSIDE
            .matcher(bench.said())
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining(" ")));
    JsonNode again = bench.run("true").at("/repositories/0");
    assertEquals(report.path("patch_sha256"), again.path("patch_sha256"), "another patch");
  }

  /// As far as that is read: nothing of it is git's to look at.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          true                                                                    | commit | main
          git checkout -qb a/b; git pack-refs --all                               | commit | a/b
          git checkout -q --detach                                                | commit |
          git checkout -q --orphan o                                              |        | o
          git symbolic-ref refs/heads/x refs/heads/main; git symbolic-ref HEAD refs/heads/x |        | x
          printf 1111111111111111111111111111111111111111 > .git/refs/heads/main  |        | main
          ln -sf refs/heads/main .git/HEAD                                        |        |
          rm .git/HEAD; mkfifo .git/HEAD                                          |        |
          echo 'ref: refs/heads/../../config' > .git/HEAD                         |        |
          mv .git ../git; echo 'gitdir: ../git' > .git                            |        |
          mv .git ../git; ln -s ../git .git                                       |        |
          rm -rf .git                                                             |        |
          mkdir .git/reftable; echo 'ref: refs/heads/.invalid' > .git/HEAD        |        |
          """)
  void whatIsCheckedOutIsReported(String script, String head, String branch) throws IOException {
    JsonNode result = bench.run(script + "; echo x > file");
    JsonNode report = result.at("/repositories/0");
    assertEquals(1, report.path("files_changed").asInt(), result::toString);
    JsonNode commit = head == null ? NullNode.getInstance() : report.path("base_commit");
    assertEquals(commit, report.path("head_commit"), result::toString);
    assertEquals(branch, report.path("branch").textValue(), result::toString);
    assertEquals(
        head == null && branch == null,
        bench.said().contains("What is checked out in app is not known")
            || bench.said().contains("The git folder of app does not count"));
  }
}
