package agentsessions.store.session;

import agentsessions.aws.SecretCipher;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.CheckoutMap;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The inputs that a session keeps for all of its turns: repositories, the credentials for their
/// hosts, and the agent's environment. Tokens, the values of variables and the setup script are
/// sealed; only the claim of a turn opens them.
@Singleton
public final class StoredInputs {
  /// The stored login for a repository's host: the name of a secret, or a sealed token.
  private record Login(
      @Nullable String username, @Nullable String secret, @Nullable ByteBuffer token) {}

  private static final Kind<Login> LOGIN = new Kind<>(StoredInputs::login);
  private static final Attribute<String> USERNAME =
      LOGIN.part("username", Kept.TEXT, Login::username);
  private static final Attribute<String> SECRET = LOGIN.part("secret", Kept.TEXT, Login::secret);
  private static final Attribute<ByteBuffer> TOKEN = LOGIN.part("token", Kept.BYTES, Login::token);

  private static final Schema WORK = new Schema();
  private static final Attribute<List<Checkout>> CHECKOUTS =
      WORK.attribute("checkouts", CheckoutMap.KEPT);
  private static final Attribute<List<String>> SECRETS = WORK.attribute("secrets", Kept.NAMES);
  private static final Attribute<ByteBuffer> VARIABLES = WORK.attribute("variables", Kept.BYTES);
  private static final Attribute<ByteBuffer> SETUP = WORK.attribute("setup", Kept.BYTES);

  /// The logins by position of the repository, from 1.
  private static final List<Attribute<Login>> CREDENTIALS =
      IntStream.rangeClosed(1, Checkout.MOST)
          .mapToObj(number -> WORK.attribute("credential_" + number, LOGIN.kept()))
          .toList();

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
        WORK.change(Layout.work(session))
            .set(CHECKOUTS, inputs.checkouts())
            .set(SECRETS, environment.secrets());
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

  /// Replaces the credentials of some repositories, given by position from 1.
  public Write change(SessionKey session, Map<Integer, Credential> credentials) {
    Change change = WORK.change(Layout.work(session)).when("attribute_exists(#PK)");
    credentials.forEach((number, credential) -> credential(change, session, number, credential));
    return change.update();
  }

  public Opened open(SessionKey session) {
    return table.item(Layout.work(session)).map(item -> open(session, item)).orElse(Opened.NONE);
  }

  private Opened open(SessionKey session, Item item) {
    List<Checkout> checkouts = new ArrayList<>();
    for (Checkout checkout : item.get(CHECKOUTS)) {
      checkouts.add(
          item.optional(CREDENTIALS.get(checkouts.size()))
              .map(login -> checkout.with(credential(session, login)))
              .orElse(checkout));
    }
    return new Opened(
        checkouts,
        new Environment(
            item.optional(VARIABLES).map(sealed -> split(open(session, sealed))).orElse(Map.of()),
            item.get(SECRETS),
            item.optional(SETUP).map(sealed -> open(session, sealed)).orElse(null)));
  }

  private void credential(
      Change change, SessionKey session, int number, @Nullable Credential credential) {
    if (credential != null) {
      change.set(
          CREDENTIALS.get(number - 1),
          switch (credential) {
            case Credential.OfSecret(String username, String secret) ->
                new Login(username, secret, null);
            case Credential.Token(String username, String token) ->
                new Login(username, null, seal(session, token));
          });
    }
  }

  private Credential credential(SessionKey session, Login login) {
    if (login.secret() != null) {
      return new Credential.OfSecret(login.username(), login.secret());
    }
    ByteBuffer token = login.token();
    return new Credential.Token(login.username(), token == null ? "" : open(session, token));
  }

  private static Login login(Item item) {
    return new Login(item.find(USERNAME), item.find(SECRET), item.find(TOKEN));
  }

  private String open(SessionKey session, ByteBuffer sealed) {
    return new String(seal.open(session.id().toString(), sealed), StandardCharsets.UTF_8);
  }

  private ByteBuffer seal(SessionKey session, String text) {
    return seal.seal(session.id().toString(), text.getBytes(StandardCharsets.UTF_8));
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
