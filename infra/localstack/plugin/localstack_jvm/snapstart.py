"""Functions become inactive, as those with SnapStart do whose version nobody has called for 14 days. PUT /_aws/lambda/inactive/FUNCTION makes
one so; GET says whether it is Inactive, Pending or Active. The first call fails and has it made active again, which takes minutes at AWS and
seconds here; so do calls meanwhile. An asynchronous one is accepted, and lost."""
import threading

from localstack.runtime import hooks

SECONDS = 3


@hooks.on_infra_start()
def let_functions_become_inactive():
    from localstack.aws.api.lambda_ import SnapStartNotReadyException
    from localstack.http import Response, route
    from localstack.services.edge import ROUTER
    from localstack.services.lambda_.invocation.lambda_service import LambdaService

    states, lock, invoke = {}, threading.Lock(), LambdaService.invoke

    def invoke_if_active(self, function_name, *args, **kwargs):
        with lock:
            state = states.get(function_name)
            if state == "Inactive":
                states[function_name] = "Pending"
                threading.Timer(SECONDS, states.pop, (function_name, None)).start()
        if state is None:
            return invoke(self, function_name, *args, **kwargs)
        if kwargs.get("invocation_type") == "Event":
            return None
        raise SnapStartNotReadyException("Lambda is initializing your function. You can invoke it once its state is Active.", Type="User")

    @route("/_aws/lambda/inactive/<function>", methods=["GET", "PUT"])
    def state_of(request, function):
        with lock:
            if request.method == "PUT":
                states[function] = "Inactive"
            return Response(states.get(function, "Active"))

    LambdaService.invoke = invoke_if_active
    ROUTER.add(state_of)
