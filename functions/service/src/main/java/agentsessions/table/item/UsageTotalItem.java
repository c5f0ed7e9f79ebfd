package agentsessions.table.item;

import agentsessions.rule.UsedTokens;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import java.util.function.ToLongFunction;

/// The sum of the usage of several turns, as attributes of a larger item. Each figure is an
/// attribute of its own, so that a write can add to it without a read; a figure of 0 is left out.
public final class UsageTotalItem {
  public static final ItemSchema<UsageTotal> SCHEMA = new ItemSchema<>(UsageTotalItem::spent);

  private static final Attribute<Long> REQUESTS = figure("used_requests", UsageTotal::requests);
  private static final Attribute<Long> INPUT = figure("used_input", of -> of.tokens().input());
  private static final Attribute<Long> OUTPUT = figure("used_output", of -> of.tokens().output());
  private static final Attribute<Long> CACHE_READ =
      figure("used_cache_read", of -> of.tokens().cacheRead());
  private static final Attribute<Long> CACHE_WRITE =
      figure("used_cache_write", of -> of.tokens().cacheWrite());
  private static final Attribute<Long> CACHE_WRITE_HOUR =
      figure("used_cache_write_hour", of -> of.tokens().cacheWriteHour());
  private static final Attribute<Long> MILLIS = figure("used_millis", UsageTotal::millis);
  private static final Attribute<Long> COST = figure("used_cost", UsageTotal::microDollars);
  private static final Attribute<Long> UNPRICED = figure("used_unpriced", UsageTotal::unpriced);
  private static final Attribute<Long> INCOMPLETE =
      figure("used_incomplete", UsageTotal::incomplete);
  private static final Attribute<Long> GUESSED_TOKENS =
      figure("used_guessed_tokens", of -> of.guess().tokens());
  private static final Attribute<Long> GUESSED_COST =
      figure("used_guessed_cost", of -> of.guess().microDollars());

  private static Attribute<Long> figure(String name, ToLongFunction<UsageTotal> of) {
    return SCHEMA.part(
        name,
        AttributeFormat.NUMBER,
        spent -> {
          long figure = of.applyAsLong(spent);
          return figure == 0 ? null : figure;
        });
  }

  private static UsageTotal spent(Item item) {
    return new UsageTotal(
        item.get(REQUESTS, 0L),
        new UsedTokens(
            item.get(INPUT, 0L),
            item.get(OUTPUT, 0L),
            item.get(CACHE_READ, 0L),
            item.get(CACHE_WRITE, 0L),
            item.get(CACHE_WRITE_HOUR, 0L)),
        item.get(MILLIS, 0L),
        item.get(COST, 0L),
        item.get(UNPRICED, 0L),
        item.get(INCOMPLETE, 0L),
        new Usage.Guess(item.get(GUESSED_TOKENS, 0L), item.get(GUESSED_COST, 0L)));
  }

  private UsageTotalItem() {}
}
