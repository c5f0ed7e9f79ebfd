package agentsessions.table.item;

import agentsessions.session.id.UploadId;
import agentsessions.session.input.Upload;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Kept;
import agentsessions.table.Kind;
import agentsessions.table.Layout;
import java.time.Instant;

/// The item of an upload. DynamoDB removes it after `expires_at` (epoch seconds).
public final class UploadItem {
  private static final Kind<Upload> KIND =
      new Kind<>(upload -> Layout.upload(upload.workspace(), upload.id()), UploadItem::upload)
          .also(Attribute.EXPIRES_AT, Upload::expiresAt);
  private static final Attribute<String> FILE_NAME =
      KIND.part("file_name", Kept.TEXT, Upload::fileName);
  private static final Attribute<Long> SIZE = KIND.part("bytes", Kept.NUMBER, Upload::size);
  private static final Attribute<String> SHA256 = KIND.part("sha256", Kept.TEXT, Upload::sha256);
  private static final Attribute<String> MIME_TYPE =
      KIND.part("mime_type", Kept.TEXT, Upload::mimeType);
  private static final Attribute<Instant> CREATED =
      KIND.part("created", Kept.INSTANT, Upload::createdAt);
  private static final Attribute<Boolean> ARRIVED =
      KIND.part("arrived", Kept.FLAG, Upload::arrived);

  public static Upload read(Item item) {
    return KIND.read(item);
  }

  public static Change put(Upload upload) {
    return KIND.put(upload);
  }

  private static Upload upload(Item item) {
    Layout.Key key = item.key();
    return new Upload(
        key.workspace(),
        UploadId.parse(key.sk()).orElseThrow(),
        item.get(FILE_NAME),
        item.get(SIZE),
        item.find(SHA256),
        item.find(MIME_TYPE),
        item.get(CREATED),
        item.flag(ARRIVED));
  }

  private UploadItem() {}
}
