import java.util.zip.*;

/// Packs a function's archive anew, its jars not compressed: `java StoredJars.java ARCHIVE BYTES`. The archive compresses each jar as a whole, so
/// that many small classes, which are much alike, take a third less; and to load one needs no decompression. Of the console's libraries only
/// the scripts stay that the console uses. More bytes than these are refused: a deployment and a new environment wait for each of them.
void main(String... arguments) throws IOException {
  Path archive = Path.of(arguments[0]);
  int most = Integer.parseInt(arguments[1]);
  ByteArrayOutputStream packed = new ByteArrayOutputStream();
  try (ZipInputStream in = new ZipInputStream(Files.newInputStream(archive)); ZipOutputStream out = new ZipOutputStream(packed)) {
    out.setLevel(Deflater.BEST_COMPRESSION);
    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      out.putNextEntry(named(entry));
      out.write(entry.getName().endsWith(".jar") ? stored(in.readAllBytes()) : in.readAllBytes());
    }
  }
  if (packed.size() > most) {
    throw new IllegalStateException("%s would have %,d bytes, of %,d".formatted(archive, packed.size(), most));
  }
  Files.write(archive, packed.toByteArray());
}

/// The same jar, each entry as it is. Folders stay: the framework looks into them.
byte[] stored(byte[] jar) throws IOException {
  ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar)); ZipOutputStream out = new ZipOutputStream(bytes)) {
    out.setMethod(ZipOutputStream.STORED);
    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
      byte[] content = in.readAllBytes();
      if (isRead(entry.getName())) {
        CRC32 sum = new CRC32();
        sum.update(content);
        ZipEntry same = named(entry);
        same.setSize(content.length);
        same.setCrc(sum.getValue());
        out.putNextEntry(same);
        out.write(content);
      }
    }
  }
  return bytes.toByteArray();
}

ZipEntry named(ZipEntry entry) {
  ZipEntry same = new ZipEntry(entry.getName());
  same.setTime(entry.getTime());
  return same;
}

/// Libraries bring for browsers what is no script, what is for Node.js, for debugging and for coverage; and Prism each script twice.
boolean isRead(String name) {
  return !name.equals("META-INF/.more.tgz")
      && (!name.startsWith("META-INF/resources/")
          || name.matches(".*\\.m?js") && !name.matches(".*/(node|development)/.*|.*\\.c(ov|js)\\..*|.*/prismjs/.*(?<!\\.min)\\.js"));
}
