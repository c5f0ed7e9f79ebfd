package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// A guard of the transitions that a test can take away, to see whether the exploration misses it.
sealed interface Guard extends ScheduledTable.Sabotage {

  /// One clause of the condition on one kind of item in one transition; `*` is all of them.
  record Clause(Step step, String part, String words) implements Guard {
    @Override
    public Predicate<InMemoryTable.Guarded> ignored() {
      return guarded -> covers(of(guarded));
    }

    private boolean covers(Clause other) {
      return words.equals("*") ? step == other.step && part.equals(other.part) : equals(other);
    }

    /// A job is guarded as the turn that it is: by the same code, and so under the same name.
    static Clause of(InMemoryTable.Guarded guarded) {
      String part = Step.part(guarded.transaction().get(guarded.position()));
      return new Clause(
          Step.of(guarded.transaction()), part.equals("J") ? "T" : part, guarded.clause());
    }

    /// From `STEP PART words`.
    static Clause parse(String text) {
      String[] parts = text.split(" ", 3);
      return new Clause(Step.valueOf(parts[0]), parts[1], parts[2]);
    }

    @Override
    public String toString() {
      return step + " " + part + " " + words;
    }
  }

  /// A follow-up accepts its message and interrupts the old turn in one transaction.
  record OneTransaction() implements Guard {
    @Override
    public List<List<TransactWriteItem>> split(List<TransactWriteItem> transaction) {
      if (Step.of(transaction) != Step.FOLLOW_UP) {
        return List.of(transaction);
      }
      List<TransactWriteItem> first = new ArrayList<>(transaction);
      List<TransactWriteItem> last =
          transaction.stream()
              .filter(write -> write.update() != null && Step.part(write).equals("T"))
              .toList();
      first.removeAll(last);
      return last.isEmpty() ? List.of(transaction) : List.of(first, last);
    }
  }

  /// A turn's reply and its final status are written in one transaction.
  record OneEnding() implements Guard {
    @Override
    public List<List<TransactWriteItem>> split(List<TransactWriteItem> transaction) {
      if (Step.of(transaction) != Step.END) {
        return List.of(transaction);
      }
      return List.of(transaction.subList(0, 2), transaction.subList(2, transaction.size()));
    }
  }

  /// Another dispatch of a turn has another number, and so another execution.
  record NewNumber() implements Guard {
    @Override
    public List<List<TransactWriteItem>> split(List<TransactWriteItem> transaction) {
      if (Step.of(transaction) != Step.REDISPATCH) {
        return List.of(transaction);
      }
      TransactWriteItem write = transaction.getFirst();
      Map<String, AttributeValue> values =
          new HashMap<>(write.update().expressionAttributeValues());
      values.put(":set_dispatch", AttributeValue.fromN("1"));
      return List.of(
          List.of(
              write.toBuilder()
                  .update(write.update().toBuilder().expressionAttributeValues(values).build())
                  .build()));
    }
  }

  /// The table knows a transaction again by its token.
  record Token() implements Guard {
    @Override
    public boolean forgetsTokens() {
      return true;
    }
  }

  /// The sweep runs.
  record Sweeping() implements Guard {
    @Override
    public boolean sweeps() {
      return false;
    }
  }
}
