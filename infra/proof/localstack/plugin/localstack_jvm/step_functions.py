"""An outcome that a task's token brings before the call that handed it out has returned: who waits for it with a heartbeat would
see it only when the heartbeat is over."""
from localstack.runtime import hooks


@hooks.on_infra_start()
def hear_early_outcomes():
    from localstack.services.stepfunctions.asl.eval.callback.callback import CallbackEndpoint

    set_up = CallbackEndpoint.setup_heartbeat_endpoint

    def set_up_knowing(self, heartbeat_seconds):
        endpoint = set_up(self, heartbeat_seconds)
        if self.get_outcome() is not None:
            endpoint.notify()
        return endpoint

    CallbackEndpoint.setup_heartbeat_endpoint = set_up_knowing
