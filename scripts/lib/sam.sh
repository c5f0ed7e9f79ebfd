# To be sourced from the project's folder: puts the pinned sam and cfn-lint on the PATH, installed when first needed.
. scripts/lib/python.sh

if ! cmp -s infra/sam.txt "$tools/sam/made-of"; then
  echo "Installing the SAM CLI (the first time takes a minute) ..." >&2
  python=$(find_python 11)
  rm -rf "${tools:?}/sam"
  "$python" -m venv "$tools/sam"
  "$tools/sam/bin/pip" -q --disable-pip-version-check install -r infra/sam.txt >&2
  cp infra/sam.txt "$tools/sam/made-of"
fi
export PATH="$tools/sam/bin:$PATH" SAM_CLI_TELEMETRY=0
