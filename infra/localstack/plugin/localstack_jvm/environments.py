"""Limits of Lambda. A function has as many environments as there are processors, or eight if it may run for minutes, so that sixty-four
requests at once do not become sixty-four JVMs; further requests wait. (Lambda would start more, up to its limit, and then refuse.) An
alias's settings for asynchronous invocations apply, although these come by its version here; otherwise they would be tried again after
one minute and two. A resource policy that is longer than AWS accepts is refused."""
import concurrent.futures, contextlib, functools, os, threading

from localstack.runtime import hooks


@hooks.on_infra_start()
def limit_environments():
    from localstack.services.lambda_.invocation.assignment import AssignmentService

    slots, reserve = {}, AssignmentService.get_environment

    def slot(function_version):
        limit = 8 if function_version.config.timeout > 60 else max(2, os.cpu_count())
        return slots.setdefault(function_version.qualified_arn, threading.Semaphore(limit))

    @contextlib.contextmanager
    def reserve_in_turn(self, version_manager_id, function_version, provisioning_type):
        with slot(function_version), reserve(self, version_manager_id, function_version, provisioning_type) as environment:
            yield environment

    AssignmentService.get_environment = reserve_in_turn


@hooks.on_infra_start()
def heed_invoke_configs_of_aliases():
    from localstack.services.lambda_.invocation.event_manager import Poller

    make, handle = Poller.__init__, Poller.handle_message

    def make_wide(self, *args, **kwargs):
        make(self, *args, **kwargs)
        self.invoker_pool = concurrent.futures.ThreadPoolExecutor(32)  # each thread runs an invocation to its end, which may take minutes

    def handle_as_configured(self, message):
        function, version = self.version_manager.function, self.version_manager.function_version.id.qualifier
        for alias in function.aliases.values():
            if alias.function_version == version and (config := function.event_invoke_configs.get(alias.name)):
                function.event_invoke_configs[version] = config
        handle(self, message)

    Poller.__init__, Poller.handle_message = make_wide, handle_as_configured


@hooks.on_infra_start()
def refuse_long_policies():
    from localstack.aws.api.lambda_ import PolicyLengthExceededException
    from localstack.services.lambda_.provider import LambdaProvider

    add = LambdaProvider.add_permission

    @functools.wraps(add)
    def add_if_it_fits(self, context, request):
        answer = add(self, context, request)
        named = {key: request[key] for key in ("FunctionName", "Qualifier") if request.get(key)}
        size = len(self.get_policy(context, named["FunctionName"], named.get("Qualifier"))["Policy"].encode())
        if size > 20480:
            self.remove_permission(context, named["FunctionName"], request["StatementId"], named.get("Qualifier"))
            raise PolicyLengthExceededException(f"The final policy size ({size}) is bigger than the limit (20480).", Type="User")
        return answer

    LambdaProvider.add_permission = add_if_it_fits
