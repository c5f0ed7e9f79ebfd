package agentsessions.table.item;

import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.util.List;

/// The map of a repository as the client requested it. Its credential is stored apart, since it can
/// be replaced.
public final class CheckoutMap {
  private static final ItemSchema<Checkout.PullRequest> PULL_REQUEST_SCHEMA =
      new ItemSchema<>(CheckoutMap::pullRequest);
  private static final Attribute<String> TITLE =
      PULL_REQUEST_SCHEMA.part("title", AttributeFormat.TEXT, Checkout.PullRequest::title);
  private static final Attribute<String> BODY =
      PULL_REQUEST_SCHEMA.part("body", AttributeFormat.TEXT, Checkout.PullRequest::body);
  private static final Attribute<Boolean> DRAFT =
      PULL_REQUEST_SCHEMA.flag("draft", Checkout.PullRequest::draft);

  private static final ItemSchema<Checkout.Push> PUSH_SCHEMA = new ItemSchema<>(CheckoutMap::push);
  private static final Attribute<String> BRANCH =
      PUSH_SCHEMA.part("branch", AttributeFormat.TEXT, Checkout.Push::branch);
  private static final Attribute<Boolean> ADOPT = PUSH_SCHEMA.flag("adopt", Checkout.Push::adopt);
  private static final Attribute<String> BASE =
      PUSH_SCHEMA.part("base", AttributeFormat.TEXT, Checkout.Push::base);
  private static final Attribute<Checkout.Provider> PROVIDER =
      PUSH_SCHEMA.part(
          "provider", AttributeFormat.name(Checkout.Provider.class), Checkout.Push::provider);
  private static final Attribute<Checkout.PullRequest> PULL_REQUEST =
      PUSH_SCHEMA.part("pull_request", PULL_REQUEST_SCHEMA.format(), Checkout.Push::pullRequest);

  private static final AttributeFormat<Checkout.Push> PUSH_FORMAT = PUSH_SCHEMA.format();

  private static final ItemSchema<PushJob.Target> TARGET_SCHEMA =
      new ItemSchema<>(CheckoutMap::target);
  private static final Attribute<Integer> REPOSITORY =
      TARGET_SCHEMA.part("repository", AttributeFormat.COUNT, PushJob.Target::repository);
  private static final Attribute<Checkout.Push> DESTINATION =
      TARGET_SCHEMA.part("push", PUSH_FORMAT, PushJob.Target::push);

  /// A repository that is pushed, in a job and in a request.
  static final AttributeFormat<PushJob.Target> TARGET_FORMAT = TARGET_SCHEMA.format();

  private static final ItemSchema<Checkout> SCHEMA = new ItemSchema<>(CheckoutMap::checkout);
  private static final Attribute<String> URL =
      SCHEMA.part("url", AttributeFormat.TEXT, checkout -> checkout.url().uri().toString());
  private static final Attribute<String> REF =
      SCHEMA.part("ref", AttributeFormat.TEXT, Checkout::ref);
  private static final Attribute<String> PATH =
      SCHEMA.part("path", AttributeFormat.TEXT, Checkout::path);
  private static final Attribute<Integer> DEPTH =
      SCHEMA.part("depth", AttributeFormat.COUNT, Checkout::depth);
  private static final Attribute<Boolean> SUBMODULES =
      SCHEMA.flag("submodules", Checkout::submodules);
  private static final Attribute<Checkout.Push> PUSH =
      SCHEMA.part("push", PUSH_FORMAT, Checkout::push);

  public static final AttributeFormat<List<Checkout>> FORMAT =
      AttributeFormat.list(SCHEMA.format());

  private static Checkout checkout(Item item) {
    return new Checkout(
        RepositoryUrl.of(item.get(URL)),
        item.find(REF),
        item.get(PATH),
        item.get(DEPTH, 0),
        item.flag(SUBMODULES),
        null,
        item.find(PUSH));
  }

  private static PushJob.Target target(Item item) {
    return new PushJob.Target(item.get(REPOSITORY), item.get(DESTINATION));
  }

  private static Checkout.Push push(Item item) {
    return new Checkout.Push(
        item.find(BRANCH),
        item.flag(ADOPT),
        item.find(BASE),
        item.find(PROVIDER),
        item.find(PULL_REQUEST));
  }

  private static Checkout.PullRequest pullRequest(Item item) {
    return new Checkout.PullRequest(item.find(TITLE), item.find(BODY), item.flag(DRAFT));
  }

  private CheckoutMap() {}
}
