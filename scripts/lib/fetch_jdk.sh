# To be sourced by needs.sh: fetches a JDK 25 for a user who may not install one.

# The archive JDK_URL, whose checksum is JDK_SHA256, or else Adoptium's newest; into the user's cache.
fetch_jdk() {
  local url=${JDK_URL:-} checksum=${JDK_SHA256:-} work status=0
  command -v curl >/dev/null || { advise jdk >&2 && return 1; }
  if [ -n "$url" ] && [ -z "$checksum" ]; then echo "Error: JDK_URL needs JDK_SHA256, the archive's checksum." >&2 && return 1; fi
  echo "Downloading a JDK 25 ..." >&2
  work=$(new_folder) || return 1
  { [ -n "$url" ] || read -r url checksum < <(newest_jdk); } && unpack_jdk "$url" "$checksum" "$work" && keep "$work/jdk" jdk || status=1
  rm -rf "$work"
  [ "$status" = 0 ] || echo "Error: no JDK 25 from ${url:-Adoptium}. Install one, or name an archive by JDK_URL and JDK_SHA256." >&2
  return "$status"
}

unpack_jdk() {
  curl -fsSL --retry 3 --connect-timeout 20 --max-time 1800 -o "$3/archive" "$1" &&
    echo "$2  $3/archive" | sha256sum --quiet -c - >&2 &&
    mkdir "$3/jdk" && tar -xzf "$3/archive" -C "$3/jdk" --strip-components=1 && is_jdk "$3/jdk"
}

# Prints address and checksum.
newest_jdk() {
  local machine query answer
  machine=$(uname -m)
  query="os=linux&architecture=${machine/x86_64/x64}&image_type=jdk&vendor=eclipse"
  answer=$(curl -fsSL --retry 3 --connect-timeout 20 --max-time 60 "https://api.adoptium.net/v3/assets/latest/25/hotspot?$query") &&
    echo "$(text_of link "$answer") $(text_of checksum "$answer")"
}

# text_of NAME JSON prints the first text of that name.
text_of() {
  grep -o "\"$1\": *\"[^\"]*\"" <<<"$2" | head -n 1 | cut -d '"' -f 4
}
