package agentsessions.table.item;

import agentsessions.rule.UsedTokens;
import agentsessions.session.usage.Usage;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.util.List;

/// The map of a turn's usage: in the turn and, while the turn holds the sandbox, in the lock.
final class UsageMap {
  private static final ItemSchema<Usage.OfModel> OF_MODEL = new ItemSchema<>(UsageMap::ofModel);
  private static final Attribute<String> MODEL =
      OF_MODEL.part("model", AttributeFormat.TEXT, Usage.OfModel::model);
  private static final Attribute<Long> OF_REQUESTS =
      OF_MODEL.part("requests", AttributeFormat.NUMBER, Usage.OfModel::requests);
  private static final Attribute<Long> INPUT =
      OF_MODEL.part("input", AttributeFormat.NUMBER, model -> model.tokens().input());
  private static final Attribute<Long> OUTPUT =
      OF_MODEL.part("output", AttributeFormat.NUMBER, model -> model.tokens().output());
  private static final Attribute<Long> CACHE_READ =
      OF_MODEL.part("cache_read", AttributeFormat.NUMBER, model -> model.tokens().cacheRead());
  private static final Attribute<Long> CACHE_WRITE =
      OF_MODEL.part("cache_write", AttributeFormat.NUMBER, model -> model.tokens().cacheWrite());
  private static final Attribute<Long> CACHE_WRITE_HOUR =
      OF_MODEL.part(
          "cache_write_hour", AttributeFormat.NUMBER, model -> model.tokens().cacheWriteHour());
  private static final Attribute<Long> COST =
      OF_MODEL.part("cost", AttributeFormat.NUMBER, Usage.OfModel::microDollars);

  private static final ItemSchema<Usage> SCHEMA = new ItemSchema<>(UsageMap::usage);
  private static final Attribute<Long> REQUESTS =
      SCHEMA.part("requests", AttributeFormat.NUMBER, Usage::requests);
  private static final Attribute<Long> MILLIS =
      SCHEMA.part("millis", AttributeFormat.NUMBER, Usage::millis);
  private static final Attribute<Boolean> COMPLETE = SCHEMA.flag("complete", Usage::complete);
  private static final Attribute<Long> GUESSED_TOKENS =
      SCHEMA.part("guessed_tokens", AttributeFormat.NUMBER, usage -> usage.guess().tokens());
  private static final Attribute<Long> GUESSED_COST =
      SCHEMA.part("guessed_cost", AttributeFormat.NUMBER, usage -> usage.guess().microDollars());
  private static final Attribute<List<Usage.OfModel>> MODELS =
      SCHEMA.part("models", AttributeFormat.list(OF_MODEL.format()), Usage::models);

  static final AttributeFormat<Usage> FORMAT = SCHEMA.format();

  private static Usage usage(Item item) {
    return new Usage(
        item.get(REQUESTS),
        item.get(MODELS),
        item.get(MILLIS),
        item.flag(COMPLETE),
        new Usage.Guess(item.get(GUESSED_TOKENS), item.get(GUESSED_COST)));
  }

  private static Usage.OfModel ofModel(Item item) {
    return new Usage.OfModel(
        item.get(MODEL),
        item.get(OF_REQUESTS),
        new UsedTokens(
            item.get(INPUT),
            item.get(OUTPUT),
            item.get(CACHE_READ),
            item.get(CACHE_WRITE),
            item.get(CACHE_WRITE_HOUR)),
        item.find(COST));
  }

  private UsageMap() {}
}
