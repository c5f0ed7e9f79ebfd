package agentsessions.table.item;

import agentsessions.session.id.UploadId;
import agentsessions.session.input.Upload;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import java.time.Instant;

/// The item of an upload. DynamoDB removes it after `expires_at` (epoch seconds).
public final class UploadItem {
  private static final ItemSchema<Upload> SCHEMA =
      new ItemSchema<>(upload -> Layout.upload(upload.workspace(), upload.id()), UploadItem::upload)
          .also(Attribute.EXPIRES_AT, Upload::expiresAt);
  private static final Attribute<String> FILE_NAME =
      SCHEMA.part("file_name", AttributeFormat.TEXT, Upload::fileName);
  private static final Attribute<Long> SIZE =
      SCHEMA.part("bytes", AttributeFormat.NUMBER, Upload::size);
  private static final Attribute<String> SHA256 =
      SCHEMA.part("sha256", AttributeFormat.TEXT, Upload::sha256);
  private static final Attribute<String> MIME_TYPE =
      SCHEMA.part("mime_type", AttributeFormat.TEXT, Upload::mimeType);
  private static final Attribute<Instant> CREATED =
      SCHEMA.part("created", AttributeFormat.INSTANT, Upload::createdAt);
  private static final Attribute<Boolean> ARRIVED =
      SCHEMA.part("arrived", AttributeFormat.FLAG, Upload::arrived);

  public static Upload read(Item item) {
    return SCHEMA.read(item);
  }

  public static Change put(Upload upload) {
    return SCHEMA.put(upload);
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
