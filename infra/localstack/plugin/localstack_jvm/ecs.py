"""ECS, which the community edition lacks. A stack's cluster and task definition are made here, so that references to them are the names and
ARNs that they are on AWS, by which its policies are judged. Functions call it here, and what AWS_ENDPOINT_URL_ECS names answers. Each call is
recorded, and refused where AWS's own description of the API does not know its operation or its parameters, or no stack has what it names."""
import collections, functools, json, os, urllib.error, urllib.request

from localstack.runtime import hooks
from localstack.services.cloudformation.provider_utils import generate_default_name
from localstack.services.cloudformation.resource_provider import (
    CloudFormationResourceProviderPlugin, OperationStatus, ProgressEvent, ResourceProvider)

PATH = "/_aws/ecs"
# The clusters' names, the ARNs of active definitions with their revisions, and how many revisions there were of each without.
clusters, definitions, revisions = set(), set(), collections.Counter()


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
    if "cluster" in api().operation_model(operation).input_shape.members and request.get("cluster", "default").split("/")[-1] not in clusters:
        return "ClusterNotFoundException", "Cluster not found."
    if operation == "RunTask" and request["taskDefinition"] not in definitions:
        return "ClientException", "TaskDefinition not found."
    roles = {"taskRoleArn", "executionRoleArn"} & set(request.get("overrides") or {})
    return ("AccessDeniedException", f"not to be given here: {', '.join(roles)}") if roles else None


def as_asked(value, shape):
    """Properties of CloudFormation as parameters of the API: their names begin in lower case, and numbers and truths may be texts, or the other way round."""
    if shape.type_name == "structure" and isinstance(value, dict):
        named = {name[:1].lower() + name[1:]: one for name, one in value.items()}
        return {name: as_asked(one, shape.members[name]) if name in shape.members else one for name, one in named.items()}
    if shape.type_name == "list" and isinstance(value, list):
        return [as_asked(one, shape.member) for one in value]
    if shape.type_name == "integer" and isinstance(value, str) and value.isdigit():
        return int(value)
    if shape.type_name == "string" and type(value) is int:
        return str(value)
    return {"true": True, "false": False}.get(value, value) if shape.type_name == "boolean" and isinstance(value, str) else value


def require(operation, properties):
    if said := refusal(operation, as_asked(properties, api().operation_model(operation).input_shape)):
        raise ValueError(": ".join(said))


def made(model):
    return ProgressEvent(status=OperationStatus.SUCCESS, resource_model=model)


class ClusterProvider(ResourceProvider):
    TYPE, SCHEMA = "AWS::ECS::Cluster", {"primaryIdentifier": ["/properties/ClusterName"]}

    def create(self, request):
        require("CreateCluster", request.desired_state)
        name = request.desired_state.get("ClusterName") or generate_default_name(request.stack_name, request.logical_resource_id)
        clusters.add(name)
        return made({**request.desired_state, "ClusterName": name, "Arn": f"arn:aws:ecs:{request.region_name}:{request.account_id}:cluster/{name}"})

    def update(self, request):
        require("CreateCluster", request.desired_state)
        return made({**request.previous_state, **request.desired_state})

    def delete(self, request):
        clusters.discard(request.desired_state["ClusterName"])
        return made({})


class TaskDefinitionProvider(ResourceProvider):
    TYPE, SCHEMA = "AWS::ECS::TaskDefinition", {"primaryIdentifier": ["/properties/TaskDefinitionArn"]}

    def create(self, request):
        require("RegisterTaskDefinition", request.desired_state)
        family = f"arn:aws:ecs:{request.region_name}:{request.account_id}:task-definition/{request.desired_state['Family']}"
        revisions[family] += 1
        arn = f"{family}:{revisions[family]}"
        definitions.add(arn)
        return made({**request.desired_state, "TaskDefinitionArn": arn})

    def update(self, request):
        after = self.create(request)  # CloudFormation then deregisters the one before
        definitions.discard(request.previous_state["TaskDefinitionArn"])
        return after

    def delete(self, request):
        definitions.discard(request.desired_state["TaskDefinitionArn"])
        return made({})


class ClusterPlugin(CloudFormationResourceProviderPlugin):
    name = ClusterProvider.TYPE

    def load(self):
        self.factory = ClusterProvider


class TaskDefinitionPlugin(CloudFormationResourceProviderPlugin):
    name = TaskDefinitionProvider.TYPE

    def load(self):
        self.factory = TaskDefinitionProvider


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
