package agentsessions.table.item;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.repository.Repository;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The map of a repository's state after a turn, in the session and in each turn.
final class RepositoryMap {
  private static final ItemSchema<Repository.Patch> PATCH_SCHEMA =
      new ItemSchema<>(RepositoryMap::patch);
  private static final Attribute<ArtifactId> ARTIFACT =
      PATCH_SCHEMA.part("artifact", AttributeFormat.ARTIFACT, Repository.Patch::artifact);
  private static final Attribute<String> OBJECT =
      PATCH_SCHEMA.part("object", AttributeFormat.TEXT, Repository.Patch::objectKey);
  private static final Attribute<String> SHA256 =
      PATCH_SCHEMA.part("sha256", AttributeFormat.TEXT, Repository.Patch::sha256);
  private static final Attribute<String> TREE =
      PATCH_SCHEMA.part("tree", AttributeFormat.TEXT, Repository.Patch::tree);

  private static final ItemSchema<Repository.Pushed> PUSHED_SCHEMA =
      new ItemSchema<>(RepositoryMap::pushed);
  private static final Attribute<String> PUSHED_BRANCH =
      PUSHED_SCHEMA.part("branch", AttributeFormat.TEXT, Repository.Pushed::branch);
  private static final Attribute<String> COMMIT =
      PUSHED_SCHEMA.part("commit", AttributeFormat.TEXT, Repository.Pushed::commit);
  private static final Attribute<Instant> AT =
      PUSHED_SCHEMA.part("at", AttributeFormat.INSTANT, Repository.Pushed::at);

  private static final ItemSchema<Repository.Fault> FAULT_SCHEMA =
      new ItemSchema<>(RepositoryMap::fault);
  private static final Attribute<String> CODE =
      FAULT_SCHEMA.part("code", AttributeFormat.TEXT, Repository.Fault::code);
  private static final Attribute<String> MESSAGE =
      FAULT_SCHEMA.part("message", AttributeFormat.TEXT, Repository.Fault::message);

  private static final ItemSchema<Repository> SCHEMA = new ItemSchema<>(RepositoryMap::repository);
  private static final Attribute<String> URL =
      SCHEMA.part("url", AttributeFormat.TEXT, Repository::url);
  private static final Attribute<String> REF =
      SCHEMA.part("ref", AttributeFormat.TEXT, Repository::ref);
  private static final Attribute<String> PATH =
      SCHEMA.part("path", AttributeFormat.TEXT, Repository::path);
  private static final Attribute<String> BASE =
      SCHEMA.part("base", AttributeFormat.TEXT, Repository::baseCommit);
  private static final Attribute<String> HEAD =
      SCHEMA.part("head", AttributeFormat.TEXT, Repository::headCommit);
  private static final Attribute<String> BRANCH =
      SCHEMA.part("branch", AttributeFormat.TEXT, Repository::branch);
  private static final Attribute<Integer> FILES =
      SCHEMA.part("files", AttributeFormat.COUNT, repository -> repository.changes().files());
  private static final Attribute<Integer> ADDITIONS =
      SCHEMA.part(
          "additions", AttributeFormat.COUNT, repository -> repository.changes().additions());
  private static final Attribute<Integer> DELETIONS =
      SCHEMA.part(
          "deletions", AttributeFormat.COUNT, repository -> repository.changes().deletions());
  private static final Attribute<Repository.Patch> PATCH =
      SCHEMA.part("patch", PATCH_SCHEMA.format(), Repository::patch);
  private static final Attribute<Repository.Pushed> PUSHED =
      SCHEMA.part("pushed", PUSHED_SCHEMA.format(), Repository::pushed);
  private static final Attribute<String> PULL_REQUEST_URL =
      SCHEMA.part("pull_request_url", AttributeFormat.TEXT, Repository::pullRequestUrl);
  private static final Attribute<Repository.Fault> FAULT =
      SCHEMA.part("fault", FAULT_SCHEMA.format(), Repository::fault);

  static final AttributeFormat<List<Repository>> FORMAT = AttributeFormat.list(SCHEMA.format());

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
    return new Repository.Patch(
        item.get(ARTIFACT), item.get(OBJECT), item.get(SHA256), item.find(TREE));
  }

  private static Repository.Pushed pushed(Item item) {
    return new Repository.Pushed(item.get(PUSHED_BRANCH), item.get(COMMIT), item.get(AT));
  }

  private static Repository.Fault fault(Item item) {
    return new Repository.Fault(item.get(CODE), item.get(MESSAGE));
  }

  private RepositoryMap() {}
}
