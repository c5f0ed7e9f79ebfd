# To be sourced in the project's folder, with $work: packs the SDKs of infra/clients. Nothing is left in their folders.

# pack_python FOLDER leaves a wheel there.
pack_python() {
  cp -r infra/clients/python "$work/python"
  python3 -m venv "$work/packing"
  "$work/packing/bin/pip" -q --disable-pip-version-check wheel --no-deps -w "$1" "$work/python"
}

# pack_typescript FOLDER leaves what npm packs there.
pack_typescript() {
  cp -r infra/clients/typescript "$work/typescript"
  mkdir -p "$1"
  (cd "$work/typescript" && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent build && npm pack --silent --ignore-scripts --pack-destination "$1")
}
