package agentsessions.image;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession.CloseableSession;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.supplier.SessionBuilderSupplier;

/// A Maven repository, as Maven's own resolver asks it: with its checksums, and by the JVM's proxy.
///
/// @param url its address
/// @param cache an empty folder for what is fetched
record MavenRepository(URI url, Path cache) {
  private static final String SUPER_POM = "/org/apache/maven/model/pom-4.0.0.xml";
  private static final int MOST_MILLISECONDS = 120_000;
  private static final Map<String, Object> SETTINGS =
      Map.of(
          "aether.transport.http.connectTimeout",
          20_000,
          "aether.transport.http.requestTimeout",
          MOST_MILLISECONDS,
          "aether.transport.http.useSystemProperties",
          true);

  /// The address of the repository that Maven itself asks where nobody names another: it stands in
  /// the POM that all others inherit.
  static URI usual() throws IOException {
    try (InputStream pom = Model.class.getResourceAsStream(SUPER_POM)) {
      Model model = new MavenXpp3Reader().read(Objects.requireNonNull(pom, SUPER_POM));
      return URI.create(model.getRepositories().getFirst().getUrl());
    } catch (XmlPullParserException impossible) {
      throw new IOException(impossible);
    }
  }

  /// @throws IOException if it cannot be had
  Path file(String coordinates) throws IOException {
    try (RepositorySystem resolver = new RepositorySystemSupplier().get();
        CloseableSession session =
            new SessionBuilderSupplier(resolver)
                .get()
                .withLocalRepositoryBaseDirectories(cache)
                .setConfigProperties(SETTINGS)
                .build()) {
      String[] parts = coordinates.split(":", -1);
      RemoteRepository repository =
          new RemoteRepository.Builder("central", "default", url.toString()).build();
      ArtifactRequest request =
          new ArtifactRequest(
              new DefaultArtifact(parts[0], parts[1], "jar", parts[2]), List.of(repository), null);
      return resolver.resolveArtifact(session, request).getArtifact().getPath();
    } catch (ArtifactResolutionException refused) {
      throw new IOException(refused.getMessage(), refused);
    }
  }
}
