"""account.py STACK [NAME=VALUE...]: the parameters of a deployment that the account itself answers, one a line, unless they are given or the
stack has them; what is left out is said on stderr. Makes the role that ECS needs in an account, where the stack is to have tasks."""
import os, re, sys

import boto3
from botocore.exceptions import ClientError

stack, given, outputs = sys.argv[1], dict(pair.split("=", 1) for pair in sys.argv[2:]), {}
try:
    described = boto3.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
    if described["StackStatus"] in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"):
        sys.exit(f"Error: the first deployment of {stack} failed, and CloudFormation updates no such stack. Its events name the reason. Remove it "
                 f"with scripts/destroy --stack {stack} --data, then deploy again. That also removes the secrets that an earlier deployment of this "
                 "name has left; without --data they stay, and so do an empty table and bucket.")
    outputs = {o["OutputKey"]: o["OutputValue"] for o in described.get("Outputs", [])}
    had = {p["ParameterKey"]: p["ParameterValue"] for p in described.get("Parameters", [])}
    given = {name: value for name, value in had.items() if value not in ("0", "none", "")} | given
except ClientError:
    pass  # a new stack

# What a stack keeps is read by the version that wrote it, and by later ones of the same format.
template = open(os.path.join(os.path.dirname(__file__), "../../template.yaml"), encoding="utf-8").read()
reads = re.search(r"^  DataFormat:\n(?:    .*\n)*?    Value: '(\d+)'$", template, re.M)[1]
if outputs and (written := outputs.get("DataFormat", "0")) != reads:
    sys.exit(f"Error: the data of the stack {stack} is of format {written}, and this version reads format {reads}: update it with a version that "
             "does, or deploy another stack (--stack NAME).")

# In an account that never had any, ECS makes no cluster: it makes the role first, and does not wait for it.
if given.get("RunnerImage"):
    try:
        boto3.client("iam").create_service_linked_role(AWSServiceName="ecs.amazonaws.com")
        print("Made the role AWSServiceRoleForECS, which all tasks of the account need.", file=sys.stderr)
    except ClientError as known:
        if known.response["Error"]["Code"] != "InvalidInput":  # it is there
            print(f"Not made: the role that ECS needs in each account ({known}). Where it is not there, no cluster can be made.", file=sys.stderr)

# Of an earlier deployment of this name: its secrets are found again by that, the rest is not.
def kept():
    for page in boto3.client("dynamodb").get_paginator("list_tables").paginate():
        yield from (f"table {name}" for name in page["TableNames"] if name.startswith(f"{stack}-Table-"))
    for bucket in boto3.client("s3").list_buckets()["Buckets"]:
        if bucket["Name"].startswith(f"{stack}-bucket-".lower()):
            yield f"bucket {bucket['Name']}"


if not outputs and (left := list(kept())):
    print(f"An earlier deployment of this name was deleted and its data kept: {', '.join(left)}. This one begins with a table and a bucket "
          "of its own and does not see them; secrets of the same workspaces it may.", file=sys.stderr)

if not given.get("AlarmEmail"):
    print("Alarms reach nobody: they are sent to you by AlarmEmail=you@example.com, once you confirm it.", file=sys.stderr)

# A LocalStack gives APIs no names that can be reached. By its id one can, and that ours makes of the stack's name.
endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
if endpoint and "amazonaws.com" not in endpoint:
    api = outputs.get("ApiId", re.sub("[^a-z0-9]", "", f"{stack}Api".lower()))
    of_apis = f"{endpoint}/_aws/execute-api/"
    for name in ("PublicBaseUrl", "RunnerBaseUrl"):
        if given.get(name, of_apis).startswith(of_apis):
            print(f"{name}={of_apis}{api}/api")

limit = boto3.client("lambda").get_account_settings()["AccountLimit"]
# AWS keeps 100 for functions that reserve nothing; half of the rest is for the API, the sweep, and other stacks.
room = (limit["UnreservedConcurrentExecutions"] - 100) // 2

if "EventConcurrency" not in given:
    watchers = min(50, room // 4)
    if watchers > 0:
        print(f"EventConcurrency={watchers}")
        room -= watchers
    else:
        print("Not bounded: how many answers about live events are held open at once; a crowd of watchers can keep the API waiting.",
              file=sys.stderr)

# Enough for a thousand live turns: some 2,400 calls a second of 0.04 each, see MethodSettings.
if "RunnerApiConcurrency" not in given:
    calls = min(100, room // 4)
    if calls > 0:
        print(f"RunnerApiConcurrency={calls}")
        room -= calls
    else:
        print("Not bounded: how many calls of runners are answered at once; whoever sends such calls without end can keep the API waiting.",
              file=sys.stderr)

if "RunnerConcurrency" not in given:
    if room > 0:
        print(f"RunnerConcurrency={room}")
    else:
        print(f"Not bounded: how many turns run at once, since the account's Lambda quota of {limit['ConcurrentExecutions']} leaves nothing to "
              "reserve; a crowd of turns can keep the API waiting. Ask AWS for a quota of 1,000.", file=sys.stderr)

if "AccessLog" not in given:
    role = boto3.client("apigateway").get_account().get("cloudwatchRoleArn")
    print("AccessLog=" + ("log" if role else "log-and-role"))
