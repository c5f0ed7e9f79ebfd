package agentsessions.agents.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/// The JSON schema of a vendor's request body; a body that breaks it is refused. Each schema file
/// names the page of the vendor's documentation that it follows.
final class BodySchema {
  private final Schema schema;

  /// @param file name of the schema file, a resource beside this class
  BodySchema(String file) {
    try (InputStream text = Objects.requireNonNull(BodySchema.class.getResourceAsStream(file))) {
      schema =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
              .getSchema(new String(text.readAllBytes(), StandardCharsets.UTF_8), InputFormat.YAML);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  Optional<String> mistake(JsonNode body) {
    return schema.validate(body).stream().map(Error::toString).findFirst();
  }
}
