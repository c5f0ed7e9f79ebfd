package agentsessions.table.item;

import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.table.Attribute;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import java.util.List;

/// The map of a repository as the client requested it. Its credential is stored apart, since it can
/// be replaced.
public final class CheckoutMap {
  private static final Kind<Checkout.PullRequest> PULL_REQUEST_KIND =
      new Kind<>(CheckoutMap::pullRequest);
  private static final Attribute<String> TITLE =
      PULL_REQUEST_KIND.part("title", Kept.TEXT, Checkout.PullRequest::title);
  private static final Attribute<String> BODY =
      PULL_REQUEST_KIND.part("body", Kept.TEXT, Checkout.PullRequest::body);
  private static final Attribute<Boolean> DRAFT =
      PULL_REQUEST_KIND.flag("draft", Checkout.PullRequest::draft);

  private static final Kind<Checkout.Push> PUSH_KIND = new Kind<>(CheckoutMap::push);
  private static final Attribute<String> BRANCH =
      PUSH_KIND.part("branch", Kept.TEXT, Checkout.Push::branch);
  private static final Attribute<Boolean> ADOPT = PUSH_KIND.flag("adopt", Checkout.Push::adopt);
  private static final Attribute<String> BASE =
      PUSH_KIND.part("base", Kept.TEXT, Checkout.Push::base);
  private static final Attribute<Checkout.Provider> PROVIDER =
      PUSH_KIND.part("provider", Kept.name(Checkout.Provider.class), Checkout.Push::provider);
  private static final Attribute<Checkout.PullRequest> PULL_REQUEST =
      PUSH_KIND.part("pull_request", PULL_REQUEST_KIND.kept(), Checkout.Push::pullRequest);

  private static final Kind<Checkout> KIND = new Kind<>(CheckoutMap::checkout);
  private static final Attribute<String> URL =
      KIND.part("url", Kept.TEXT, checkout -> checkout.url().uri().toString());
  private static final Attribute<String> REF = KIND.part("ref", Kept.TEXT, Checkout::ref);
  private static final Attribute<String> PATH = KIND.part("path", Kept.TEXT, Checkout::path);
  private static final Attribute<Integer> DEPTH = KIND.part("depth", Kept.COUNT, Checkout::depth);
  private static final Attribute<Boolean> SUBMODULES =
      KIND.flag("submodules", Checkout::submodules);
  private static final Attribute<Checkout.Push> PUSH =
      KIND.part("push", PUSH_KIND.kept(), Checkout::push);

  public static final Kept<List<Checkout>> KEPT = Kept.list(KIND.kept());

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
