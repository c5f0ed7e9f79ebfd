package agentsessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Holds the records of a page of wire types to the API's JSON: names in snake_case, absent values
/// as null (or left out, where a record says so), and back again without loss.
public final class SerdeableRoundTrip {
  /// Its records have no annotation of ours.
  private static final String WIRE = "agentsessions.wire";

  public static final JsonMapper JSON =
      ApplicationContext.builder()
          .eagerInitSingletons(false)
          .eagerInitConfiguration(false)
          .banner(false)
          .start()
          .getBean(JsonMapper.class);

  /// The records that a room writes as JSON, with those of its shelves.
  public static Stream<Class<?>> recordsOf(String room) {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(room)
            .stream()
            .filter(JavaClass::isRecord)
            .filter(
                type -> type.isAnnotatedWith(Serdeable.class) || type.getPackageName().equals(WIRE))
            .map(JavaClass::reflect);
  }

  public static void whole(Class<?> type) throws Exception {
    Object value = sample(type, false);
    Map<String, Object> written = written(value);
    assertEquals(names(type, true), written.keySet());
    assertEquals(value, read(value));
  }

  public static void sparse(Class<?> type) throws Exception {
    Object value = sample(type, true);
    Map<String, Object> written = written(value);
    assertEquals(names(type, false), written.keySet());
    for (RecordComponent component : type.getRecordComponents()) {
      if (nullable(component) && !leftOut(component)) {
        assertEquals(null, written.get(name(component)), () -> type + " " + component);
      }
    }
    assertEquals(value, read(value));
  }

  private static Set<String> names(Class<?> type, boolean all) {
    return Arrays.stream(type.getRecordComponents())
        .filter(component -> all || !leftOut(component))
        .map(SerdeableRoundTrip::name)
        .collect(Collectors.toSet());
  }

  private static String name(RecordComponent component) {
    JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
    return given != null
        ? given.value()
        : component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static boolean leftOut(RecordComponent component) {
    return nullable(component)
        && (component.getAccessor().isAnnotationPresent(JsonInclude.class)
            || component.getAccessor().getDeclaringClass().isAnnotationPresent(JsonInclude.class));
  }

  private static boolean nullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static Map<String, Object> written(Object value) throws IOException {
    return JSON.readValue(
        JSON.writeValueAsString(value), Argument.mapOf(String.class, Object.class));
  }

  private static @Nullable Object read(Object value) throws IOException {
    return JSON.readValue(JSON.writeValueAsString(value), value.getClass());
  }

  private static Object sample(Class<?> type, boolean sparse) throws Exception {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      boolean absent = sparse && nullable(components[i]);
      values[i] = absent ? null : value(components[i].getGenericType(), sparse);
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }

  private static Object value(Type type, boolean sparse) throws Exception {
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        return List.of(value(of[0], sparse));
      }
      boolean named = of[1] instanceof ParameterizedType || ((Class<?>) of[1]).isRecord();
      return Map.of("snakeOrNot", named ? value(of[1], sparse) : "kept as it is");
    }
    return switch (((Class<?>) type).getSimpleName()) {
      case "String" -> "text";
      case "int", "Integer" -> 7;
      case "long", "Long" -> 7_000_000_000L;
      case "double" -> 7_000_000_000.125;
      case "boolean", "Boolean" -> true;
      case "JsonNode" -> JsonNode.createStringNode("text");
      case "BigDecimal" -> new BigDecimal("1763745000.123456");
      case "Scope", "Unit" -> ((Class<?>) type).getEnumConstants()[0];
      default -> sample((Class<?>) type, sparse);
    };
  }

  private SerdeableRoundTrip() {}
}
