package agentsessions.table.item;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.Artifact;
import agentsessions.session.Idempotency;
import agentsessions.session.IdempotencyRecord;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Receipt;
import agentsessions.session.SandboxState;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The items of a table that was written once: they are read as what they were, and what is put
/// today is what was put then, attribute by attribute.
class KeptItemsTest {
  private static final List<Map<String, AttributeValue>> ITEMS = items();
  private static final SessionKey TALK =
      new SessionKey(new Workspace("w"), session("35ad9028-a695-488f-8343-83a045733c4c"));
  private static final TurnId FIRST = turn("01a1fdfa-4600-7000-a7bb-4b251e246ca6");
  private static final TurnId LATEST = turn("01a1fdfa-618a-7000-acab-a58d106602df");
  private static final Turn.Stamps STAMPS =
      new Turn.Stamps(stamp(400_000_000), stamp(400_000_000), stamp(403_000_000));

  @Test
  void sessionsAreReadAsTheyWere() {
    assertEquals(
        new Session(
            TALK,
            "shell",
            "A title",
            Map.of("a", "1", "b", "2"),
            false,
            stamp(400_000_000),
            stamp(407_050_000),
            null,
            new Session.Turns(
                4, FIRST, LATEST, true, stamp(405_000_000), null, List.of(), null, null, null),
            Session.Configuration.NOTHING,
            Session.Account.OPEN),
        SessionItem.read(item(Layout.meta(TALK))));
  }

  @Test
  void turnsAreReadAsTheyWereInEveryState() {
    Turn completed = turn(FIRST, STAMPS);
    assertEquals(new Turn.Counts(3, 1, 2), completed.counts());
    assertEquals(
        new Turn.State.Ended(
            TurnStatus.COMPLETED,
            new Turn.Claimed(instant(401), instant(4001), 0, null),
            instant(403),
            true,
            null,
            null,
            SandboxState.SAVED,
            false),
        completed.state());
    Turn failed = load("01a1fdfa-55a0-7000-857a-2cda6ee2e724");
    assertEquals(
        new Turn.State.Ended(
            TurnStatus.FAILED,
            new Turn.Claimed(instant(404), instant(4004), 0, null),
            instant(405),
            false,
            new TurnError("TIME_LIMIT", "The agent did not finish within its time limit.", true),
            null,
            SandboxState.LOST,
            false),
        failed.state());
    assertEquals(
        new Turn.State.Ended(
            TurnStatus.INTERRUPTED, null, instant(407), false, null, LATEST, null, false),
        load("01a1fdfa-5d70-7000-a5e0-bc2da88d74e8").state());
    assertEquals(
        new Turn.State.Queued(instant(557), 1, true, null), load(LATEST.toString()).state());
    SessionKey other =
        new SessionKey(TALK.workspace(), session("d50c598a-99a3-4f4b-a3c0-7a3e0a2858ff"));
    Turn running =
        TurnItem.read(item(Layout.turn(other.turn(turn("01a1fdfb-4bb8-7000-9027-efbbc88ab108")))));
    assertEquals(
        new Turn.State.Running(
            new Turn.Claimed(instant(467), instant(4067), 0, null),
            instant(512),
            instant(512),
            null),
        running.state());
  }

  @Test
  void messagesAreReadAsTheyWere() {
    assertEquals(
        List.of(
            new Message(
                TALK.turn(FIRST),
                MessageKind.TOOL_CALL,
                stamp(402_000_002),
                2,
                new Message.Text.Inline("calls again"),
                null),
            new Message(
                TALK.turn(FIRST),
                MessageKind.FINAL,
                stamp(403_000_000),
                0,
                new Message.Text.Inline("done"),
                TurnStatus.COMPLETED)),
        List.of(
            message(MessageKind.TOOL_CALL, 402_000_002), message(MessageKind.FINAL, 403_000_000)));
  }

  @Test
  void artifactsAreReadAsTheyWere() {
    List<Artifact> artifacts =
        ITEMS.stream()
            .map(Item::new)
            .filter(item -> item.key().sk().startsWith("R#"))
            .map(ArtifactItem::read)
            .toList();
    Artifact plan = artifacts.getFirst();
    assertEquals(
        new Artifact(
            plan.id(),
            TALK.turn(FIRST),
            "/workspace/PLAN.md",
            Artifact.planId(TALK.id(), "/workspace/PLAN.md"),
            5,
            "a".repeat(64),
            "text/markdown; charset=utf-8",
            "artifacts/x/y/1000-plan",
            instant(403)),
        plan);
    assertEquals("file", artifacts.getLast().kind());
  }

  @Test
  void answersThatWereKeptAreReadAsTheyWere() {
    IdempotencyRecord sent =
        IdempotencyItem.read(item(Layout.idempotency(TALK.workspace(), "key-of-follow-up")));
    assertEquals(
        new IdempotencyRecord(
            TALK.workspace(),
            new Idempotency("key-of-follow-up", "hash-of-follow-up"),
            new Receipt(TALK.turn(LATEST), stamp(407_050_000)),
            Instant.ofEpochSecond(1_795_348_807)),
        sent);
  }

  @Test
  void whatIsPutIsWhatWasPut() {
    Set<String> seen = new HashSet<>();
    for (Map<String, AttributeValue> kept : ITEMS) {
      String sk = new Item(kept).key().sk();
      switch (sk.equals(Layout.META) ? sk : sk.substring(0, Math.min(2, sk.length()))) {
        case Layout.META -> {
          assertEquals(kept, put(SessionItem.put(SessionItem.read(new Item(kept)))));
          seen.add("session");
        }
        case "T#" -> {
          // What the steps of a turn keep for themselves is not of the record.
          Map<String, AttributeValue> put = put(TurnItem.put(TurnItem.read(new Item(kept))));
          assertTrue(kept.entrySet().containsAll(put.entrySet()), () -> kept + "\n" + put);
          if (!kept.containsKey("ticket_hash")) {
            assertEquals(kept, put);
            seen.add("turn " + TurnItem.read(new Item(kept)).status());
          }
        }
        case "U#", "F#", "P#", "C#" -> {
          Map<String, AttributeValue> put = put(MessageItem.put(MessageItem.read(new Item(kept))));
          Map<String, AttributeValue> whole = new HashMap<>(kept);
          whole.remove("m");
          assertEquals(whole, put);
          seen.add("message " + sk.charAt(0));
        }
        case "R#" -> {
          assertEquals(kept, put(ArtifactItem.put(ArtifactItem.read(new Item(kept)))));
          seen.add("artifact");
        }
        case "0" -> {
          assertEquals(kept, put(IdempotencyItem.put(IdempotencyItem.read(new Item(kept)))));
          seen.add("answer");
        }
        default -> {} // pointers have a key only; the sandbox's lock is changed in place
      }
    }
    assertEquals(
        Set.of(
            "session",
            "turn QUEUED",
            "turn INTERRUPTED",
            "message U",
            "message F",
            "message P",
            "message C",
            "artifact",
            "answer"),
        seen);
  }

  private static Turn turn(TurnId id, Turn.Stamps stamps) {
    Turn turn = load(id.toString());
    assertEquals(
        new Turn(
            TALK.turn(id),
            "shell",
            1,
            "http://service",
            stamps,
            turn.counts(),
            1,
            1000,
            Turn.Work.NONE,
            turn.state(),
            Turn.Account.open("key")),
        turn);
    return turn;
  }

  private static Turn load(String id) {
    return TurnItem.read(item(Layout.turn(TALK.turn(turn(id)))));
  }

  private static Message message(MessageKind kind, long micros) {
    return MessageItem.read(item(Layout.message(TALK, kind, stamp(micros))));
  }

  private static Map<String, AttributeValue> put(Change change) {
    return change.put().item().put().item();
  }

  private static Item item(Layout.Key key) {
    return ITEMS.stream()
        .filter(item -> Table.key(item).equals(key))
        .map(Item::new)
        .findFirst()
        .orElseThrow();
  }

  private static Stamp stamp(long micros) {
    return new Stamp(1_795_262_000_000_000L + micros);
  }

  private static Instant instant(long seconds) {
    return Instant.ofEpochSecond(1_795_262_000L + seconds);
  }

  private static SessionId session(String id) {
    return SessionId.parse(id).orElseThrow();
  }

  private static TurnId turn(String id) {
    return TurnId.parse(id).orElseThrow();
  }

  private static List<Map<String, AttributeValue>> items() {
    try (InputStream file = KeptItemsTest.class.getResourceAsStream("/kept-items.json")) {
      return JsonMapper.createDefault()
          .readValue(
              Objects.requireNonNull(file),
              Argument.listOf(Argument.mapOf(String.class, Object.class)))
          .stream()
          .map(KeptItemsTest::attributes)
          .toList();
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  private static Map<String, AttributeValue> attributes(Map<?, ?> json) {
    Map<String, AttributeValue> attributes = new HashMap<>();
    json.forEach((name, typed) -> attributes.put(String.valueOf(name), value((Map<?, ?>) typed)));
    return attributes;
  }

  private static AttributeValue value(Map<?, ?> typed) {
    Map.Entry<?, ?> only = typed.entrySet().iterator().next();
    return switch (String.valueOf(only.getKey())) {
      case "S" -> AttributeValue.fromS(String.valueOf(only.getValue()));
      case "N" -> AttributeValue.fromN(String.valueOf(only.getValue()));
      case "BOOL" -> AttributeValue.fromBool((Boolean) only.getValue());
      case "M" -> AttributeValue.fromM(attributes((Map<?, ?>) only.getValue()));
      case "B" -> AttributeValue.fromS(String.valueOf(only.getValue()));
      default -> throw new AssertionError(typed);
    };
  }
}
