package agentsessions.aws;

import agentsessions.session.Turn;

/// A turn with what its ending counted: how many artifacts it recorded; -1 where that was not
/// written.
public record TurnRow(Turn turn, int artifacts) {
  /// Under which name the number is written.
  public static final String ARTIFACTS = "artifacts";

  static TurnRow of(Item item) {
    return new TurnRow(TurnItem.read(item), item.has(ARTIFACTS) ? item.count(ARTIFACTS) : -1);
  }
}
