"""destroy.py STACK [--data] [--force]: deletes a deployment. What it waits for comes first, so that whatever stops it leaves the keys good:
live turns, then tasks, since no cluster goes that has one, then keys, then the stack."""
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import WaiterError

stack, data, force = sys.argv[1], "--data" in sys.argv, "--force" in sys.argv
# API Gateway deletes five keys a second in an account, and then refuses: adaptive retries slow down.
slowly = Config(retries={"mode": "adaptive", "max_attempts": 20})
cloudformation, iam, gateway = boto3.client("cloudformation"), boto3.client("iam"), boto3.client("apigateway", config=slowly)
described = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]
out = {o["OutputKey"]: o["OutputValue"] for o in described.get("Outputs", [])}
never_ran = not out  # its first deployment failed, and all but its data was removed
if never_ran:
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack)
    out = {one["LogicalResourceId"]: one["PhysicalResourceId"] for page in pages for one in page["StackResourceSummaries"]
           if one["ResourceStatus"] in ("DELETE_SKIPPED", "CREATE_COMPLETE")}


def live_turns():
    """How many are queued or run: they stand in the index that the sweep reads, each under T#."""
    pages = boto3.client("dynamodb").get_paginator("query")
    return sum(item["SK"]["S"].startswith("T#") for shard in range(8) for page in pages.paginate(
        TableName=out["Table"], IndexName="live", KeyConditionExpression="LIVE = :shard",
        ExpressionAttributeValues={":shard": {"S": f"LIVE#{shard}"}}) for item in page["Items"])


def stop_tasks():
    if "Cluster" not in out:
        return
    ecs, cluster = boto3.client("ecs"), out["Cluster"]

    def tasks(wanted):
        pages = ecs.get_paginator("list_tasks").paginate(cluster=cluster, desiredStatus=wanted)
        return [task for page in pages for task in page["taskArns"]]

    for task in tasks("RUNNING"):
        ecs.stop_task(cluster=cluster, task=task, reason="its deployment is deleted")
    # Those are among them, and such as others have told to stop; most have long stopped.
    stopping = tasks("STOPPED")
    print("Waiting for tasks to save what they have, and to stop ...", file=sys.stderr)
    for first in range(0, len(stopping), 100):
        ecs.get_waiter("tasks_stopped").wait(cluster=cluster, tasks=stopping[first:first + 100])


def delete_keys():
    # Keys that the rotation has made: a user that has one cannot be deleted.
    for key in iam.list_access_keys(UserName=out["Signer"])["AccessKeyMetadata"]:
        iam.delete_access_key(UserName=out["Signer"], AccessKeyId=key["AccessKeyId"])
    # The keys of the usage plan are not the stack's either.
    for page in gateway.get_paginator("get_usage_plan_keys").paginate(usagePlanId=out["UsagePlan"]):
        for key in page["items"]:
            gateway.delete_api_key(apiKey=key["id"])


def delete_stack():
    cloudformation.delete_stack(StackName=stack)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=stack)


def delete_data():
    parameters = boto3.client("ssm")
    for page in parameters.get_paginator("get_parameters_by_path").paginate(Path=f"/agent-sessions/{stack}", Recursive=True):
        for parameter in page["Parameters"]:
            parameters.delete_parameter(Name=parameter["Name"])
    if "Bucket" in out:
        boto3.resource("s3").Bucket(out["Bucket"]).objects.all().delete()
        boto3.client("s3").delete_bucket(Bucket=out["Bucket"])
    if "Table" in out:
        table = boto3.client("dynamodb")
        table.update_table(TableName=out["Table"], DeletionProtectionEnabled=False)
        table.delete_table(TableName=out["Table"])


if not never_ran:
    if (live := live_turns()) and not force:
        sys.exit(f"Error: {live} turns are queued or run. Wait for their end, or end them with --force")
    stop_tasks()
    delete_keys()
try:
    delete_stack()
except WaiterError:
    stop_tasks()  # one was begun meanwhile; what begins them has gone before the cluster
    delete_stack()
if data:
    delete_data()
kept = ", ".join(f"{kind.lower()} {out[kind]}" for kind in ("Table", "Bucket") if kind in out)
print(f"Deleted {stack}" + (" and its data; AWS keeps a backup of the table for 35 days" if data else f"; kept: {kept}" if kept else ""))
