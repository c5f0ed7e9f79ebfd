package agentsessions.table.item;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.repository.Repository;
import agentsessions.table.Attribute;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The map of a repository's state after a turn, in the session and in each turn.
final class RepositoryMap {
  private static final Kind<Repository.Patch> PATCH_KIND = new Kind<>(RepositoryMap::patch);
  private static final Attribute<ArtifactId> ARTIFACT =
      PATCH_KIND.part("artifact", Kept.ARTIFACT, Repository.Patch::artifact);
  private static final Attribute<String> OBJECT =
      PATCH_KIND.part("object", Kept.TEXT, Repository.Patch::objectKey);
  private static final Attribute<String> SHA256 =
      PATCH_KIND.part("sha256", Kept.TEXT, Repository.Patch::sha256);

  private static final Kind<Repository.Pushed> PUSHED_KIND = new Kind<>(RepositoryMap::pushed);
  private static final Attribute<String> PUSHED_BRANCH =
      PUSHED_KIND.part("branch", Kept.TEXT, Repository.Pushed::branch);
  private static final Attribute<String> COMMIT =
      PUSHED_KIND.part("commit", Kept.TEXT, Repository.Pushed::commit);
  private static final Attribute<Instant> AT =
      PUSHED_KIND.part("at", Kept.INSTANT, Repository.Pushed::at);

  private static final Kind<Repository.Fault> FAULT_KIND = new Kind<>(RepositoryMap::fault);
  private static final Attribute<String> CODE =
      FAULT_KIND.part("code", Kept.TEXT, Repository.Fault::code);
  private static final Attribute<String> MESSAGE =
      FAULT_KIND.part("message", Kept.TEXT, Repository.Fault::message);

  private static final Kind<Repository> KIND = new Kind<>(RepositoryMap::repository);
  private static final Attribute<String> URL = KIND.part("url", Kept.TEXT, Repository::url);
  private static final Attribute<String> REF = KIND.part("ref", Kept.TEXT, Repository::ref);
  private static final Attribute<String> PATH = KIND.part("path", Kept.TEXT, Repository::path);
  private static final Attribute<String> BASE =
      KIND.part("base", Kept.TEXT, Repository::baseCommit);
  private static final Attribute<String> HEAD =
      KIND.part("head", Kept.TEXT, Repository::headCommit);
  private static final Attribute<String> BRANCH =
      KIND.part("branch", Kept.TEXT, Repository::branch);
  private static final Attribute<Integer> FILES =
      KIND.part("files", Kept.COUNT, repository -> repository.changes().files());
  private static final Attribute<Integer> ADDITIONS =
      KIND.part("additions", Kept.COUNT, repository -> repository.changes().additions());
  private static final Attribute<Integer> DELETIONS =
      KIND.part("deletions", Kept.COUNT, repository -> repository.changes().deletions());
  private static final Attribute<Repository.Patch> PATCH =
      KIND.part("patch", PATCH_KIND.kept(), Repository::patch);
  private static final Attribute<Repository.Pushed> PUSHED =
      KIND.part("pushed", PUSHED_KIND.kept(), Repository::pushed);
  private static final Attribute<String> PULL_REQUEST_URL =
      KIND.part("pull_request_url", Kept.TEXT, Repository::pullRequestUrl);
  private static final Attribute<Repository.Fault> FAULT =
      KIND.part("fault", FAULT_KIND.kept(), Repository::fault);

  static final Kept<List<Repository>> KEPT = Kept.list(KIND.kept());

  static @Nullable List<Repository> filled(List<Repository> repositories) {
    return repositories.isEmpty() ? null : repositories;
  }

  private static Repository repository(Item item) {
    return new Repository(
        item.get(URL),
        item.find(REF),
        item.get(PATH),
        item.find(BASE),
        item.find(HEAD),
        item.find(BRANCH),
        new Repository.Changes(item.get(FILES, 0), item.get(ADDITIONS, 0), item.get(DELETIONS, 0)),
        item.find(PATCH),
        item.find(PUSHED),
        item.find(PULL_REQUEST_URL),
        item.find(FAULT));
  }

  private static Repository.Patch patch(Item item) {
    return new Repository.Patch(item.get(ARTIFACT), item.get(OBJECT), item.get(SHA256));
  }

  private static Repository.Pushed pushed(Item item) {
    return new Repository.Pushed(item.get(PUSHED_BRANCH), item.get(COMMIT), item.get(AT));
  }

  private static Repository.Fault fault(Item item) {
    return new Repository.Fault(item.get(CODE), item.get(MESSAGE));
  }

  private RepositoryMap() {}
}
