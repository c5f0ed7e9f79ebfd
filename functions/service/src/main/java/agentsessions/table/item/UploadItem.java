package agentsessions.table.item;

import agentsessions.session.id.UploadId;
import agentsessions.session.input.Upload;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import agentsessions.table.Parts;
import java.time.Instant;
import java.util.List;

/// The item of an upload; `expires_at` (epoch seconds) is what the table's time to live looks at.
public final class UploadItem {
  private static final Attribute<Upload, String> FILE_NAME =
      new Attribute<>("file_name", Kept.TEXT, Upload::fileName);
  private static final Attribute<Upload, Long> SIZE =
      new Attribute<>("bytes", Kept.NUMBER, Upload::size);
  private static final Attribute<Upload, String> SHA256 =
      new Attribute<>("sha256", Kept.TEXT, Upload::sha256);
  private static final Attribute<Upload, String> MIME_TYPE =
      new Attribute<>("mime_type", Kept.TEXT, Upload::mimeType);
  private static final Attribute<Upload, Instant> CREATED =
      new Attribute<>("created", Kept.INSTANT, Upload::createdAt);
  private static final Attribute<Upload, Boolean> ARRIVED =
      new Attribute<>("arrived", Kept.FLAG, Upload::arrived);
  private static final Attribute<Upload, Long> EXPIRES_AT =
      new Attribute<>("expires_at", Kept.NUMBER, upload -> upload.expiresAt().getEpochSecond());

  private static final Kind<Upload> KIND =
      new Kind<>(
          Upload.class,
          upload -> Layout.upload(upload.workspace(), upload.id()),
          UploadItem::upload,
          List.of(FILE_NAME, SIZE, SHA256, MIME_TYPE, CREATED, ARRIVED, EXPIRES_AT));

  public static Upload read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Upload upload) {
    return KIND.put(upload);
  }

  private static Upload upload(Layout.Key key, Parts parts) {
    return new Upload(
        key.workspace(),
        UploadId.parse(key.sk()).orElseThrow(),
        parts.get(FILE_NAME),
        parts.get(SIZE),
        parts.find(SHA256),
        parts.find(MIME_TYPE),
        parts.get(CREATED),
        parts.flag(ARRIVED));
  }

  private UploadItem() {}
}
