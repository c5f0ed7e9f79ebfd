package agentsessions.table.item;

import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.table.Attributes;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of the repositories that a session asked for, but for their credentials, which
/// change.
public final class CheckoutValues {
  public static final Kept<List<Checkout>> KEPT =
      Kept.list(Checkout.class, CheckoutValues::of, CheckoutValues::read);

  private static AttributeValue of(Checkout checkout) {
    return new Attributes()
        .text("url", checkout.url().uri().toString())
        .text("ref", checkout.ref())
        .text("path", checkout.path())
        .number("depth", checkout.depth())
        .flag("submodules", checkout.submodules())
        .map("push", Optional.ofNullable(checkout.push()).map(CheckoutValues::push).orElse(null))
        .value();
  }

  private static Attributes push(Checkout.Push push) {
    return new Attributes()
        .text("branch", push.branch())
        .flag("adopt", push.adopt())
        .text("base", push.base())
        .text("provider", Optional.ofNullable(push.provider()).map(Enum::name).orElse(null))
        .map(
            "pull_request",
            Optional.ofNullable(push.pullRequest()).map(CheckoutValues::pullRequest).orElse(null));
  }

  private static Attributes pullRequest(Checkout.PullRequest pullRequest) {
    return new Attributes()
        .text("title", pullRequest.title())
        .text("body", pullRequest.body())
        .flag("draft", pullRequest.draft());
  }

  private static Checkout read(AttributeValue value) {
    Item item = new Item(value.m());
    return new Checkout(
        RepositoryUrl.of(item.requiredText("url")),
        item.nullableText("ref"),
        item.requiredText("path"),
        item.count("depth"),
        item.flag("submodules"),
        null,
        item.map("push").map(CheckoutValues::readPush).orElse(null));
  }

  private static Checkout.Push readPush(Item item) {
    return new Checkout.Push(
        item.nullableText("branch"),
        item.flag("adopt"),
        item.nullableText("base"),
        Optional.ofNullable(item.nullableText("provider"))
            .map(Checkout.Provider::valueOf)
            .orElse(null),
        item.map("pull_request").map(CheckoutValues::readPullRequest).orElse(null));
  }

  private static Checkout.PullRequest readPullRequest(Item item) {
    return new Checkout.PullRequest(
        item.nullableText("title"), item.nullableText("body"), item.flag("draft"));
  }

  private CheckoutValues() {}
}
