"""ECS, which the community edition lacks: functions call it here, and what AWS_ENDPOINT_URL_ECS names answers. Each call is recorded, and
refused where AWS's own description of the API does not know its operation or its parameters."""
import functools, json, os, urllib.error, urllib.request

from localstack.runtime import hooks

PATH = "/_aws/ecs"


def endpoint(port):
    """What functions are told; None where nothing answers."""
    return f"http://127.0.0.1:{port}{PATH}" if os.environ.get("AWS_ENDPOINT_URL_ECS") else None


@functools.cache
def api():
    import botocore.session

    return botocore.session.Session().get_service_model("ecs")


def refusal(operation, request):
    """What ECS would say of a call that it does not understand."""
    from botocore.validate import ParamValidator

    if operation not in api().operation_names:
        return "UnknownOperationException", f"no such operation: {operation}"
    mistakes = ParamValidator().validate(request, api().operation_model(operation).input_shape)
    if mistakes.has_errors():
        return "InvalidParameterException", mistakes.generate_report()
    roles = {"taskRoleArn", "executionRoleArn"} & set(request.get("overrides") or {})
    return ("AccessDeniedException", f"not to be given here: {', '.join(roles)}") if roles else None


@hooks.on_infra_start()
def check_and_pass_on():
    from localstack.http import Response, route
    from localstack.services.edge import ROUTER

    from localstack_jvm.calls import record, role_of

    @route(PATH + "/", methods=["POST"])
    def call(request):
        operation, body = request.headers.get("X-Amz-Target", "").split(".")[-1], request.get_data()
        asked = json.loads(body or b"{}")
        record(role_of(request, "000000000000", "aws"), "ecs", operation, asked)
        if said := refusal(operation, asked):
            return Response(json.dumps({"__type": said[0], "message": said[1]}), 400, mimetype="application/x-amz-json-1.1")
        passed = urllib.request.Request(os.environ["AWS_ENDPOINT_URL_ECS"], body, dict(request.headers), method="POST")
        try:
            with urllib.request.urlopen(passed, timeout=60) as answer:
                return Response(answer.read(), answer.status, mimetype="application/x-amz-json-1.1")
        except urllib.error.HTTPError as answer:
            return Response(answer.read(), answer.code, mimetype="application/x-amz-json-1.1")

    if os.environ.get("AWS_ENDPOINT_URL_ECS"):
        ROUTER.add(call)
