package agentsessions.store.session;

import agentsessions.aws.SecretCipher;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.table.Attributes;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.Values;
import agentsessions.table.Write;
import agentsessions.table.item.CheckoutValues;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The inputs that a session keeps for all of its turns: repositories, the credentials for their
/// hosts, and the agent's environment. Tokens, the values of variables and the setup script are
/// sealed; only the claim of a turn opens them.
@Singleton
public final class StoredInputs {
  private static final String CHECKOUTS = "checkouts";
  private static final String SECRETS = "secrets";
  private static final String VARIABLES = "variables";
  private static final String SETUP = "setup";

  private final Table table;
  private final SecretCipher seal;

  public StoredInputs(Table table, SecretCipher seal) {
    this.table = table;
    this.seal = seal;
  }

  /// The inputs of one session, opened.
  public record Opened(List<Checkout> checkouts, Environment environment) {
    public static final Opened NONE = new Opened(List.of(), Environment.NONE);
  }

  public Write put(SessionKey session, SessionInputs inputs) {
    Environment environment = inputs.environment();
    Change change =
        Change.of(Layout.work(session))
            .set(CHECKOUTS, CheckoutValues.KEPT.transformFrom(inputs.checkouts()))
            .set(SECRETS, Kept.NAMES.transformFrom(environment.secrets()));
    for (int i = 0; i < inputs.checkouts().size(); i++) {
      credential(change, session, i + 1, inputs.checkouts().get(i).credential());
    }
    if (!environment.variables().isEmpty()) {
      change.set(VARIABLES, seal(session, joined(environment.variables())));
    }
    if (environment.setup() != null) {
      change.set(SETUP, seal(session, environment.setup()));
    }
    return change.put();
  }

  /// Replaces the credentials of some repositories, by the repositories' numbers.
  public Write change(SessionKey session, Map<Integer, Credential> credentials) {
    Change change = Change.of(Layout.work(session)).when("attribute_exists(#PK)");
    credentials.forEach((number, credential) -> credential(change, session, number, credential));
    return change.update();
  }

  public Opened open(SessionKey session) {
    return table.item(Layout.work(session)).map(item -> open(session, item)).orElse(Opened.NONE);
  }

  private Opened open(SessionKey session, Item item) {
    List<Checkout> checkouts = new ArrayList<>();
    for (Checkout checkout : CheckoutValues.KEPT.transformTo(item.value(CHECKOUTS))) {
      int number = checkouts.size() + 1;
      checkouts.add(
          item.map(credential(number))
              .map(kept -> checkout.with(credential(session, kept)))
              .orElse(checkout));
    }
    return new Opened(
        checkouts,
        new Environment(
            text(session, item, VARIABLES).map(StoredInputs::split).orElse(Map.of()),
            Kept.NAMES.transformTo(item.value(SECRETS)),
            text(session, item, SETUP).orElse(null)));
  }

  private void credential(
      Change change, SessionKey session, int number, @Nullable Credential credential) {
    if (credential != null) {
      Attributes attributes = new Attributes().text("username", credential.username());
      change.set(
          credential(number),
          switch (credential) {
            case Credential.OfSecret(_, String secret) -> attributes.text("secret", secret).value();
            case Credential.Token(_, String token) ->
                attributes.value("token", seal(session, token)).value();
          });
    }
  }

  private Credential credential(SessionKey session, Item kept) {
    String username = kept.nullableText("username");
    String secret = kept.nullableText("secret");
    return secret == null
        ? new Credential.Token(username, text(session, kept, "token").orElse(""))
        : new Credential.OfSecret(username, secret);
  }

  private Optional<String> text(SessionKey session, Item item, String name) {
    return item.has(name)
        ? Optional.of(
            new String(
                seal.open(session.id().toString(), item.binary(name)), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private AttributeValue seal(SessionKey session, String text) {
    ByteBuffer sealed = seal.seal(session.id().toString(), text.getBytes(StandardCharsets.UTF_8));
    return Values.of(sealed);
  }

  private static String credential(int number) {
    return "credential_" + number;
  }

  /// The format of a process environment: no value has a NUL character, no name an equals sign.
  private static String joined(Map<String, String> variables) {
    return variables.entrySet().stream()
        .map(pair -> pair.getKey() + "=" + pair.getValue())
        .collect(Collectors.joining("\0"));
  }

  private static Map<String, String> split(String joined) {
    Map<String, String> variables = new LinkedHashMap<>();
    Stream.of(joined.split("\0", -1))
        .forEach(pair ->
            variables.put(
                pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1)));
    return variables;
  }
}
