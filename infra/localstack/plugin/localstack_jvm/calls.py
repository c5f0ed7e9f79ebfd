"""Writes down what each function calls: role, service, operation and request, as JSON in a line of the file that RECORDED_CALLS names. By
these scripts/lib/permissions.py judges the roles' policies, which LocalStack's community edition does not enforce."""
import json, os, re, threading

from localstack.runtime import hooks

# Not what a request carries, which may be large, and secret.
CONTENT = {"Body", "Payload", "Value", "SecretString", "cause", "output", "input", "Message", "overrides"}
lock = threading.Lock()


def role_of(request, account, partition):
    """The name of the role whose session a request is signed by; None for a user's."""
    from moto.sts.models import sts_backends

    signed = request.headers.get("Authorization", "") or "Credential=" + request.args.get("X-Amz-Credential", "")
    if not (key := re.search(r"Credential=([A-Z0-9]+)/", signed)):
        return None
    session = sts_backends[account][partition].get_assumed_role_from_access_key(key[1])
    if session is None and key[1][:4] in ("ASIA", "LSIA"):
        return "unknown"  # it is of a role, and the judge will say so
    return session and session.role_arn.split("/")[-1]


def record(role, service, operation, request):
    if not role or not (path := os.environ.get("RECORDED_CALLS")):
        return
    kept = {name: value for name, value in request.items() if name not in CONTENT}
    line = json.dumps({"role": role, "service": service, "operation": operation, "request": kept}, default=str)
    with lock, open(path, "a") as calls:
        calls.write(line + "\n")


@hooks.on_infra_start()
def record_calls():
    from localstack.aws import handlers

    def record_call(chain, context, response):
        if context.service is not None and context.operation is not None:
            role = role_of(context.request, context.account_id, context.partition)
            record(role, context.service.service_name, context.operation.name, context.service_request or {})

    handlers.serve_custom_service_request_handlers.append(record_call)
