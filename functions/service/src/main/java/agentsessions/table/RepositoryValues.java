package agentsessions.table;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.repository.Repository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of the state of a session's repositories, in the session and in each turn.
public final class RepositoryValues {
  public static final Kept<List<Repository>> KEPT =
      Kept.list(Repository.class, RepositoryValues::of, RepositoryValues::read);

  static AttributeValue of(List<Repository> repositories) {
    return KEPT.transformFrom(repositories);
  }

  private static AttributeValue of(Repository repository) {
    return new Attributes()
        .text("url", repository.url())
        .text("ref", repository.ref())
        .text("path", repository.path())
        .text("base", repository.baseCommit())
        .text("head", repository.headCommit())
        .text("branch", repository.branch())
        .number("files", repository.changes().files())
        .number("additions", repository.changes().additions())
        .number("deletions", repository.changes().deletions())
        .map("patch", nullable(repository.patch(), RepositoryValues::patch))
        .map("pushed", nullable(repository.pushed(), RepositoryValues::pushed))
        .text("pull_request_url", repository.pullRequestUrl())
        .map("fault", nullable(repository.fault(), RepositoryValues::fault))
        .value();
  }

  private static Attributes patch(Repository.Patch patch) {
    return new Attributes()
        .text("artifact", patch.artifact().toString())
        .text("object", patch.objectKey())
        .text("sha256", patch.sha256());
  }

  private static Attributes pushed(Repository.Pushed pushed) {
    return new Attributes()
        .text("branch", pushed.branch())
        .text("commit", pushed.commit())
        .number("at", pushed.at().toEpochMilli());
  }

  private static Attributes fault(Repository.Fault fault) {
    return new Attributes().text("code", fault.code()).text("message", fault.message());
  }

  private static Repository read(AttributeValue value) {
    Item item = new Item(value.m());
    return new Repository(
        item.requiredText("url"),
        item.nullableText("ref"),
        item.requiredText("path"),
        item.nullableText("base"),
        item.nullableText("head"),
        item.nullableText("branch"),
        new Repository.Changes(
            item.count("files"), item.count("additions"), item.count("deletions")),
        item.map("patch").map(RepositoryValues::readPatch).orElse(null),
        item.map("pushed").map(RepositoryValues::readPushed).orElse(null),
        item.nullableText("pull_request_url"),
        item.map("fault").map(RepositoryValues::readFault).orElse(null));
  }

  private static Repository.Patch readPatch(Item item) {
    return new Repository.Patch(
        new ArtifactId(item.uuid("artifact")),
        item.requiredText("object"),
        item.requiredText("sha256"));
  }

  private static Repository.Pushed readPushed(Item item) {
    return new Repository.Pushed(
        item.requiredText("branch"),
        item.requiredText("commit"),
        Instant.ofEpochMilli(item.number("at")));
  }

  private static Repository.Fault readFault(Item item) {
    return new Repository.Fault(item.requiredText("code"), item.requiredText("message"));
  }

  private static <A, B> @Nullable B nullable(@Nullable A value, Function<A, B> as) {
    return Optional.ofNullable(value).map(as).orElse(null);
  }

  private RepositoryValues() {}
}
