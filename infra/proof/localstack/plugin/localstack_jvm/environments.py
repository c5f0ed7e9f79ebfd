"""As many environments a function as there are processors, and eight of one that may run for minutes: sixty-four requests at once
must not become sixty-four JVMs. Who comes later waits, where Lambda would start more, up to its limit, and then refuse."""
import contextlib, os, threading

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
