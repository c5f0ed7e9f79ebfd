# To be sourced by needs.sh: fetches a JDK 25 for a user who may not install one.

# Adoptium's key: whoever hands it out, it is known by this.
adoptium=3B04D753C9050D9A5D343F39843C48A565F8F04B

# The archive JDK_URL, whose checksum is JDK_SHA256, or else Adoptium's newest, signed by it; into the user's cache.
fetch_jdk() {
  local url=${JDK_URL:-} checksum=${JDK_SHA256:-} work status=0 judge=true
  command -v curl >/dev/null || { advise jdk >&2 && return 1; }
  if [ -n "$url" ] && [ -z "$checksum" ]; then echo "Error: JDK_URL needs JDK_SHA256, the archive's checksum." >&2 && return 1; fi
  echo "Downloading a JDK 25 ..." >&2
  work=$(new_folder) || return 1
  { [ -n "$url" ] || { judge=is_signed && read -r url checksum < <(newest_jdk); }; } &&
    unpack_jdk "$url" "$checksum" "$work" "$judge" && keep "$work/jdk" jdk || status=1
  rm -rf "$work"
  [ "$status" = 0 ] || echo "Error: no JDK 25 from ${url:-Adoptium}. Install one, or name an archive by JDK_URL and JDK_SHA256." >&2
  return "$status"
}

# unpack_jdk URL CHECKSUM WORK JUDGE
unpack_jdk() {
  curl -fsSL --retry 3 --connect-timeout 20 --max-time 1800 -o "$3/archive" "$1" &&
    echo "$2  $3/archive" | sha256sum --quiet -c - >&2 && "$4" "$1" "$3" &&
    mkdir "$3/jdk" && tar -xzf "$3/archive" -C "$3/jdk" --strip-components=1 && is_jdk "$3/jdk"
}

# is_signed URL WORK: whether the archive is by Adoptium's key, as far as there are a gpg and that key to ask.
is_signed() {
  local get=(curl -fsSL --retry 3 --connect-timeout 20 --max-time 60) home=$2/gpg
  command -v gpg >/dev/null || return 0
  mkdir -m 700 "$home"
  if ! { "${get[@]}" -o "$2/key" "https://keyserver.ubuntu.com/pks/lookup?op=get&options=mr&search=0x$adoptium" &&
    gpg --homedir "$home" --batch --quiet --import "$2/key"; } 2>/dev/null; then
    echo "Only the archive's checksum is held, since Adoptium's key, which signs it, cannot be had." >&2
  elif ! { "${get[@]}" -o "$2/signature" "$1.sig" &&
    gpg --homedir "$home" --batch --status-fd 1 --verify "$2/signature" "$2/archive" 2>/dev/null | grep "VALIDSIG .*$adoptium" >/dev/null; }; then
    echo "The archive is not signed by Adoptium's key." >&2
    return 1
  fi
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
