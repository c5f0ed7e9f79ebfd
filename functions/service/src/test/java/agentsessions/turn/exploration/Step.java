package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryTable;
import agentsessions.table.Layout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The transitions, told apart by what their transactions write (facts: the table of transactions).
enum Step {
  CREATE,
  FOLLOW_UP,
  /// A follow-up is accepted whose turn waits.
  QUEUE,
  /// A turn that waited begins.
  BEGIN,
  /// A turn that waits is cancelled.
  UNQUEUE,
  /// A client's job is accepted.
  ACCEPT_JOB,
  CANCEL,
  DELETE,
  /// Puts off the next look at a deleted session.
  PURGE,
  CHANGE,
  /// Puts off the sweep, or has it look at once.
  WAIT,
  LAUNCH,
  CLAIM,
  RENEW,
  RENEW_LOCK,
  /// The runner begins to save its sandbox.
  OPEN,
  /// All of it has arrived.
  COMPLETE,
  RELEASE,
  /// The turn that waits for a sandbox is named at its lock.
  NAME,
  /// A sandbox is let go in place of its runner.
  SETTLE,
  EVENTS,
  /// The runner ends its turn.
  END,
  /// A turn is ended from outside, as it was seen.
  CLOSE,
  REDISPATCH,
  /// The runner asks for a decision, and holds its turn.
  ASK,
  DECIDE,
  /// The runner leaves its turn until there is a decision.
  PARK,
  /// The same, where the decision has come meanwhile: the turn is queued again.
  REQUEUE,
  /// The runner has its request expire.
  EXPIRE,
  /// A plan or pushes are decided on, and perhaps another turn or a job begins.
  DECIDE_PLAN,
  /// The sweep has one of these expire.
  EXPIRE_PLAN,
  /// A task says that it waits for the next turn, is offered one, takes it, or comes too late.
  STANDBY;

  static Step of(List<TransactWriteItem> transaction) {
    for (TransactWriteItem write : transaction) {
      if (part(write).equals("Q")) {
        return write.put() != null ? QUEUE : BEGIN;
      }
      if (part(write).equals("T") && isLeft(write)) {
        return isTo("PARKED", write) ? PARK : REQUEUE;
      }
      if (part(write).equals("D") && ofRequest(write, transaction).isPresent()) {
        return ofRequest(write, transaction).get();
      }
    }
    for (TransactWriteItem write : transaction) {
      if (part(write).equals("STANDBY")) {
        return STANDBY;
      }
      if (write.put() != null && part(write).equals("META")) {
        return CREATE;
      }
      if (write.update() != null) {
        Map<String, AttributeValue> values = write.update().expressionAttributeValues();
        switch (part(write)) {
          case "META" -> {
            if (values.containsKey(":set_turn_seq")) {
              return FOLLOW_UP;
            }
            if (values.containsKey(":set_job")) {
              return ACCEPT_JOB;
            }
            if (values.containsKey(":set_deleted")) {
              return DELETE;
            }
            if (values.containsKey(":set_due_at")) {
              return PURGE;
            }
          }
          case "T", "J" -> {
            return ofTurn(values);
          }
          case "BOX" -> {
            return ofLock(values, transaction.size());
          }
          default -> {}
        }
      }
    }
    return CHANGE;
  }

  /// Whether a runner leaves its turn before the end of it.
  private static boolean isLeft(TransactWriteItem write) {
    return write.update() != null
        && write.update().expressionAttributeValues().containsKey(":set_parked");
  }

  private static boolean isTo(String status, TransactWriteItem write) {
    return write.update() != null
        && AttributeValue.fromS(status)
            .equals(write.update().expressionAttributeValues().get(":set_status"));
  }

  /// The kind of item that a write is for.
  static String part(TransactWriteItem write) {
    return part(InMemoryTable.key(write));
  }

  static String part(InMemoryTable.Key key) {
    if (key.pk().contains("#S#")) {
      return switch (key.sk()) {
        case "0#META" -> "META";
        case "0#PLANS" -> "PLANS";
        case String sk when sk.startsWith(Layout.COUNTED) -> "COUNT";
        default -> key.sk().split("#", 2)[0];
      };
    }
    return key.pk().split("#", -1)[2];
  }

  /// Empty where a request is closed, by what ends its turn or begins another, or is made by what
  /// ends its turn.
  private static Optional<Step> ofRequest(
      TransactWriteItem write, List<TransactWriteItem> transaction) {
    if (write.put() != null) {
      boolean isClosing =
          write.put().item().containsKey("plan") || write.put().item().containsKey("pushes");
      return isClosing ? Optional.empty() : Optional.of(ASK);
    }
    boolean isOfTurn =
        transaction.stream().anyMatch(other -> part(other).equals("T") && other.update() != null);
    return switch (Objects.requireNonNull(
            write.update().expressionAttributeValues().get(":set_status"))
        .s()) {
      case "DECIDED" -> Optional.of(isOfTurn ? DECIDE : DECIDE_PLAN);
      case "EXPIRED" -> {
        boolean isEnd =
            transaction.stream()
                .anyMatch(other -> part(other).equals("T") && isTo("FAILED", other));
        yield isEnd ? Optional.empty() : Optional.of(isOfTurn ? EXPIRE : EXPIRE_PLAN);
      }
      default -> Optional.empty();
    };
  }

  private static Step ofLock(Map<String, AttributeValue> values, int writes) {
    if (values.containsKey(":set_lease_until")) {
      return RENEW_LOCK;
    }
    if (values.containsKey(":set_next")) {
      return NAME;
    }
    if (values.containsKey(":set_upload")) {
      return OPEN;
    }
    if (writes == 1) {
      return COMPLETE;
    }
    return values.containsKey(":seen_lease") ? SETTLE : RELEASE;
  }

  private static Step ofTurn(Map<String, AttributeValue> values) {
    if (values.containsKey(":set_status")) {
      return switch (Objects.requireNonNull(values.get(":set_status")).s()) {
        case "INTERRUPTED" -> FOLLOW_UP;
        case "CANCELLED" -> values.containsKey(":before") ? CANCEL : UNQUEUE;
        case "RUNNING" -> CLAIM;
        default -> values.containsKey(":seen_status") ? CLOSE : END;
      };
    }
    if (values.containsKey(":set_events")) {
      return EVENTS;
    }
    if (values.containsKey(":set_dispatch")) {
      return REDISPATCH;
    }
    if (values.containsKey(":set_lease_until")) {
      return RENEW;
    }
    return values.containsKey(":set_ticket_hash") ? LAUNCH : WAIT;
  }
}
