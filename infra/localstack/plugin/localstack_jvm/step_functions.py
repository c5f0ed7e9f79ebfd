"""Corrections of Step Functions. A task's outcome that arrives by its token before the call that handed the token out has returned is
noticed at once; otherwise, with a heartbeat, only at the end of the heartbeat time. And a stopped execution stays stopped, whatever the
outcome of its task."""
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


@hooks.on_infra_start()
def let_a_stop_be_final():
    from localstack.services.stepfunctions.asl.eval.environment import Environment
    from localstack.services.stepfunctions.asl.eval.program_state import ProgramStopped

    set_error = Environment.set_error

    def set_error_unless_stopped(self, error):
        if not isinstance(self._program_state, ProgramStopped):
            set_error(self, error)

    Environment.set_error = set_error_unless_stopped
