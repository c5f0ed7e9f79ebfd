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
# As AWS's own command line has it, which Python's library has not.
[ -z "${AWS_REGION:-}" ] || export AWS_DEFAULT_REGION=$AWS_REGION

# need_account fails, and says why, where the environment leads to no AWS account and region.
need_account() {
  "$tools/sam/bin/python" - <<'PYTHON'
import sys, boto3
from botocore.exceptions import BotoCoreError, ClientError
try:
    boto3.client("sts").get_caller_identity()
except (BotoCoreError, ClientError) as why:
    sys.exit(f"Error: no AWS account can be reached ({why}). Set AWS_PROFILE, or AWS_REGION and the keys; see: aws configure")
PYTHON
}
