"""At most so many environments a function: sixty-four requests at once must not become sixty-four JVMs. Who comes later waits."""
import collections, contextlib, os, threading

from localstack.runtime import hooks


@hooks.on_infra_start()
def limit_environments():
    from localstack.services.lambda_.invocation.assignment import AssignmentService

    limit = int(os.environ.get("LAMBDA_JVM_ENVIRONMENTS", "8"))
    slots = collections.defaultdict(lambda: threading.Semaphore(limit))
    reserve = AssignmentService.get_environment

    @contextlib.contextmanager
    def reserve_in_turn(self, version_manager_id, function_version, provisioning_type):
        with slots[version_manager_id], reserve(self, version_manager_id, function_version, provisioning_type) as environment:
            yield environment

    AssignmentService.get_environment = reserve_in_turn
