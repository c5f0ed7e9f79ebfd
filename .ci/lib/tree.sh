# To be sourced by .ci/bare and .ci/containers: a Debian 12 of the smallest kind in $tree, and how to be in it.

# keep_tree NAME [OPTION...] makes an archive of one among our tools, unless it is there, and sets $kept to its folder.
keep_tree() {
  kept=$tools/$1
  ! (cd "$kept" && sha256sum --quiet -c checksum) 2>/dev/null || return 0
  mkdir -p "$kept"
  bootstrap "$work/new" "${@:2}"
  tar -C "$work/new" -cf "$kept/bookworm.tar" . && rm -rf "$work/new"
  (cd "$kept" && sha256sum bookworm.tar >checksum)
}

make_tree() {
  local kept
  keep_tree bare
  mkdir "$tree" && tar -C "$tree" -xf "$kept/bookworm.tar"
  chroot "$tree" useradd --create-home newcomer
  git clone -q . "$tree/srv/agent-sessions"
}

bootstrap() {
  local mirror
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)
  debootstrap --variant=minbase "${@:2}" bookworm "$1" "$mirror" >"$work/log" 2>&1 || { tail "$work/log" >&2; exit 1; }
}

# What reaches the packages here reaches them there.
lend() {
  rm -rf "$tree"/etc/apt/sources.list*
  cp -r /etc/apt/. "$tree/etc/apt/"
  cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$tree/etc/"
  mkdir -p "$tree/root/.m2" ~/.m2
  cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/lent.crt" # a package would write over the one of that name
  mount --bind ~/.m2 "$tree/root/.m2"
  mapfile -t lent < <(env | grep -E '^(PIP_[A-Z_]*|[a-zA-Z]*_(proxy|PROXY))=')
  lent+=(PIP_CERT=/etc/lent.crt)
}

archive_jdk() {
  mkdir "$work/offer"
  tar -C "$(dirname "$JAVA_HOME")" --exclude=src.zip --exclude=jmods -cf - "$(basename "$JAVA_HOME")" | gzip -1 >"$work/offer/jdk.tar.gz"
}

offer_jdk() {
  "$JAVA_HOME/bin/jwebserver" -b 127.0.0.1 -p 0 -d "$work/offer" >"$work/server" &
  server=$!
  until grep -q '^URL' "$work/server"; do sleep 0.1; done
  lent+=("JDK_URL=$(sed -n 's/^URL //p' "$work/server")jdk.tar.gz" "JDK_SHA256=$(sha256sum <"$work/offer/jdk.tar.gz" | cut -d ' ' -f 1)")
}

# as USER COMMAND... in the tree, which is the root of its processes. /mnt/again is the same tree, to be entered by a chroot, where there
# are no user namespaces.
as() {
  # shellcheck disable=SC2016
  env -i "${lent[@]}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
    unshare --mount --pid --fork --kill-child -- bash -euo pipefail -c '
      mount --rbind "$0" "$0" && cd "$0"
      mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys && mkdir -p old mnt/again
      pivot_root . old && umount -l old && mount --rbind / /mnt/again
      home=$(getent passwd "$1" | cut -d : -f 6)
      cd /srv/agent-sessions
      exec setpriv --reuid "$1" --regid "$1" --init-groups env HOME="$home" USER="$1" "${@:2}"' "$tree" "$@"
}
