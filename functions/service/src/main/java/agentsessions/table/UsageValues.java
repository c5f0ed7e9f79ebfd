package agentsessions.table;

import agentsessions.rule.UsedTokens;
import agentsessions.session.usage.Usage;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The stored form of a turn's usage, with the turn and, while it holds a sandbox, with its lock.
public final class UsageValues {
  public static final Kept<Usage> KEPT = Kept.map(Usage.class, UsageValues::of, UsageValues::read);
  private static final Kept<List<Usage.OfModel>> MODELS =
      Kept.list(Usage.OfModel.class, UsageValues::of, UsageValues::model);

  /// What an item has under a name; nothing used where it has none.
  public static Usage read(Item item, String name) {
    return item.map(name).map(UsageValues::read).orElse(Usage.NONE);
  }

  static AttributeValue of(Usage usage) {
    return new Attributes()
        .number("requests", usage.requests())
        .number("millis", usage.millis())
        .flag("complete", usage.complete())
        .number("guessed_tokens", usage.guess().tokens())
        .number("guessed_cost", usage.guess().microDollars())
        .value("models", MODELS.transformFrom(usage.models()))
        .value();
  }

  private static Usage read(Item item) {
    return new Usage(
        item.number("requests"),
        MODELS.transformTo(item.value("models")),
        item.number("millis"),
        item.flag("complete"),
        new Usage.Guess(item.number("guessed_tokens"), item.number("guessed_cost")));
  }

  private static AttributeValue of(Usage.OfModel of) {
    Attributes model =
        new Attributes()
            .text("model", of.model())
            .number("requests", of.requests())
            .number("input", of.tokens().input())
            .number("output", of.tokens().output())
            .number("cache_read", of.tokens().cacheRead())
            .number("cache_write", of.tokens().cacheWrite())
            .number("cache_write_hour", of.tokens().cacheWriteHour());
    return of.microDollars() == null
        ? model.value()
        : model.number("cost", of.microDollars()).value();
  }

  private static Usage.OfModel model(AttributeValue value) {
    Item item = new Item(value.m());
    return new Usage.OfModel(
        item.requiredText("model"),
        item.number("requests"),
        new UsedTokens(
            item.number("input"),
            item.number("output"),
            item.number("cache_read"),
            item.number("cache_write"),
            item.number("cache_write_hour")),
        item.nullableNumber("cost"));
  }

  private UsageValues() {}
}
