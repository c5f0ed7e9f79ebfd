package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.HexFormat;
import java.util.UUID;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// The files of the object store. A large one that may not overwrite another, as links demand, gets
/// a random entity tag: its MD5 would take longer than the rest of the upload, and S3 does not
/// promise it either.
final class ObjectFiles extends ForwardingBlobStore {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectFiles.class);
  private static final long LARGE = 1 << 20;
  private static final int EXISTS = 412;

  /// The attributes by which the library knows a file's entity tag and type.
  private static final String TAG = "user.content-md5";

  private static final String TYPE = "user.content-type";

  private final Path folder;

  /// @param folder of the buckets
  ObjectFiles(BlobStore files, Path folder) {
    super(files);
    this.folder = folder;
  }

  @Override
  public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
    Path bucket = folder.resolve(request.bucket());
    Path file = bucket.resolve(request.key()).normalize();
    if (!isLargeAndNew(request) || !file.startsWith(bucket)) {
      return super.putBlob(request, content);
    }
    try {
      return put(request, content, file);
    } catch (FileAlreadyExistsException exists) {
      throw S3Exception.builder().statusCode(EXISTS).cause(exists).build();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isLargeAndNew(PutObjectRequest request) {
    Long size = request.contentLength();
    return size != null
        && size >= LARGE
        && "*".equals(request.ifNoneMatch())
        && request.contentMD5() == null
        && !request.key().endsWith("/")
        && !request.key().startsWith(".");
  }

  /// Writes the file beside its place, under a name as the library chooses them, and links it
  /// there: of two at once only one can.
  private static PutObjectResponse put(PutObjectRequest request, InputStream content, Path file)
      throws IOException {
    UUID id = UUID.randomUUID();
    Path fresh = file.resolveSibling(file.getFileName() + "-" + id);
    Files.createDirectories(file.getParent());
    try {
      try (OutputStream out = Files.newOutputStream(fresh, StandardOpenOption.CREATE_NEW)) {
        content.transferTo(out);
      }
      hide(fresh);
      byte[] tag = bytes(id);
      describe(fresh, tag, request.contentType());
      Files.createLink(file, fresh);
      return PutObjectResponse.builder().eTag(HexFormat.of().formatHex(tag)).build();
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /// Where the file system keeps no attributes, a file has no entity tag, as with the library.
  private static void describe(Path file, byte[] tag, @Nullable String type) {
    UserDefinedFileAttributeView attributes =
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    if (attributes == null) {
      return;
    }
    try {
      attributes.write(TAG, ByteBuffer.wrap(tag));
      if (type != null) {
        attributes.write(TYPE, UTF_8.encode(type));
      }
    } catch (IOException | UnsupportedOperationException unsupported) {
      LOG.debug("no attributes: {}", unsupported.getMessage());
    }
  }

  /// One that others may read is public.
  private static void hide(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  private static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }
}
