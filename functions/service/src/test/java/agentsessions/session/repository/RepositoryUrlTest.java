package agentsessions.session.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryUrlTest {
  @ParameterizedTest
  @CsvSource({
    "https://github.com/acme/app,app",
    "https://github.com/acme/app.git,app",
    "HTTPS://git.example.com:8443/a/b.c.git/,b.c",
    "https://git.example.com/my%20app.git,my%20app",
    "https://[::1]/x,x"
  })
  void httpsIsTakenAndNamesTheFolder(String url, String name) {
    assertEquals(Optional.empty(), RepositoryUrl.fault(url, false));
    assertEquals(name, RepositoryUrl.of(url).name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://github.com/acme/app",
        "ssh://git@github.com/acme/app",
        "git@github.com:acme/app.git",
        "ext::sh -c id",
        "file:///etc",
        "/etc",
        "https://user@github.com/acme/app",
        "https://user:secret@github.com/acme/app",
        "https://github.com/acme/app?x=1",
        "https://github.com/acme/app#main",
        "https://github.com",
        "https://github.com/",
        "https:///app",
        "https://github.com:0/app",
        "https://github.com:65536/app",
        "https://github.com/a/../b",
        "https://github.com/a/%2e%2e/b",
        "https://github.com/.git",
        "https://git hub.com/app",
        "https://[fe80::1%25lo]/app",
        "https://[fe80::1%lo]/app",
        "https://github.com/a\nb",
        "-https://github.com/a"
      })
  void everythingElseIsRefused(String url) {
    assertTrue(RepositoryUrl.fault(url, false).isPresent());
  }

  @Test
  void plainHttpIsTakenWhereItIsAllowed() {
    assertEquals(Optional.empty(), RepositoryUrl.fault("http://127.0.0.1:8080/app.git", true));
    assertTrue(RepositoryUrl.fault("ftp://127.0.0.1/app.git", true).isPresent());
  }

  @Test
  void aUrlHasTwoThousandCharactersAtMost() {
    String url = "https://github.com/";
    assertEquals(
        Optional.empty(), RepositoryUrl.fault(url + "a".repeat(2_000 - url.length()), false));
    assertTrue(RepositoryUrl.fault(url + "a".repeat(2_001 - url.length()), false).isPresent());
  }
}
