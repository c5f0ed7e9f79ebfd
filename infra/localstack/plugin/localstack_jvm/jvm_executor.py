"""LocalStack Lambda runtime executor without containers: one child JVM per execution environment, running AWS's
own Java runtime interface client against a Runtime API served on a loopback port. LAMBDA_RUNTIME_EXECUTOR=jvm.
LAMBDA_JVM_RIC   class path of aws-lambda-java-runtime-interface-client and its dependencies (mvn dependency:copy-dependencies)
LAMBDA_JVM_<N> home of the JDK for runtime javaN, e.g. LAMBDA_JVM_25 (fallback LAMBDA_JVM_HOME, then JAVA_HOME)"""
import concurrent.futures, contextlib, functools, glob, http.server, json, logging, os, platform, queue, shutil, socket, subprocess, tempfile, threading, time, zipfile

from localstack import config
from localstack.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

from localstack_jvm.ecs import endpoint as ecs_endpoint

LOG = logging.getLogger(__name__)
MAIN = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda"
JNI = "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI"
STARTING = threading.Semaphore(max(2, os.cpu_count()))  # if all started at once, none would be ready for long
REPLACEMENTS = concurrent.futures.ThreadPoolExecutor(thread_name_prefix="lambda-jvm")


@functools.cache
def jni_library():
    """The client's JNI library, unpacked once. Left to itself, every JVM rewrites one file while
    others have it mapped, and several that start together die of SIGBUS."""
    arch = {"x86_64": "x86_64", "aarch64": "aarch_64"}[platform.machine()]
    for entry in os.environ["LAMBDA_JVM_RIC"].split(":"):
        for jar in glob.glob(entry[:-1] + "*.jar" if entry.endswith("/*") else entry):
            with zipfile.ZipFile(jar) as z:
                if (name := f"jni/libaws-lambda-jni.linux-{arch}.so") in z.namelist():
                    return z.extract(name, tempfile.mkdtemp(prefix="lambda-ric-"))
    raise FileNotFoundError("no JNI library in LAMBDA_JVM_RIC")


class Memory:
    """A control group that limits an environment's processes to the function's MemorySize: beyond it one is killed. Where no group can
    be made there is no limit, which is logged once. infra/localstack/stop removes the groups of a killed LocalStack, which have its
    process id in their names."""
    ROOTS = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"  # of version 1, of version 2
    LIMITS = "memory.limit_in_bytes", "memory.max"

    def __init__(self, name, mb):
        self.path = None
        for version, root in enumerate(self.ROOTS):
            path = f"{root}/lambda-{os.getpid()}-{name}"
            try:
                os.mkdir(path)
                with open(f"{path}/{self.LIMITS[version]}", "w") as limit:
                    limit.write(str(mb << 20))
                self.path = path
                return
            except OSError:
                with contextlib.suppress(OSError):
                    os.rmdir(path)
        self.unbounded()

    @staticmethod
    @functools.cache
    def unbounded():
        LOG.warning("Skipped: MemorySize bounds no function, since no control group of memory can be made here")

    def enter(self):
        """Joins the group; runs in the child before its exec."""
        if self.path:
            with open(f"{self.path}/cgroup.procs", "w") as processes:
                processes.write(str(os.getpid()))

    def end(self):
        for _ in range(100 if self.path else 0):  # an agent's last process may just be ending
            try:
                for folder, _, _ in os.walk(self.path, topdown=False):  # a runner has groups of its own in it
                    os.rmdir(folder)
                return
            except OSError:
                time.sleep(0.02)


def resident_peak(process):
    """The peak of a JVM's resident memory, in MB; 0 if it has ended."""
    with contextlib.suppress(OSError, AttributeError), open(f"/proc/{process.pid}/status") as status:
        return next((int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM")), 0)
    return 0


class RuntimeApi:
    """The subset of the Lambda Runtime API that a runtime interface client uses."""

    def __init__(self):
        self.next_requests = queue.Queue()
        self.slots, self.ready, self.init_error, self.polls = {}, threading.Event(), None, 0
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

            def log_message(self, *args):
                pass

            def _body(self):
                if "chunked" not in self.headers.get("Transfer-Encoding", ""):
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                out = b""
                while size := int(self.rfile.readline().split(b";")[0], 16):
                    out += self.rfile.read(size)
                    self.rfile.readline()
                while self.rfile.readline().strip():
                    pass
                return out

            def _send(self, code, body=b'{"status":"OK"}', headers=()):
                self.send_response(code)
                for k, v in (*headers, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))):
                    self.send_header(k, v)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                api.polls += 1
                api.ready.set()
                item = api.next_requests.get()
                if item is None:
                    return self._send(410, b"{}")
                rid, arn, payload, trace, deadline = item
                self._send(200, payload, [
                    ("Lambda-Runtime-Aws-Request-Id", rid), ("Lambda-Runtime-Invoked-Function-Arn", arn),
                    ("Lambda-Runtime-Trace-Id", trace), ("Lambda-Runtime-Deadline-Ms", str(deadline))])

            def do_POST(self):
                body, parts = self._body(), self.path.split("/")
                if self.path.endswith("/runtime/init/error"):
                    api.init_error = body
                    api.ready.set()
                elif (slot := api.slots.get(parts[-2])) is not None:
                    slot.put((parts[-1] == "error", body))
                self._send(202)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = "127.0.0.1:%d" % self.server.server_address[1]

    def close(self):
        self.next_requests.put(None)
        self.server.shutdown()
        self.server.server_close()


class JvmRuntimeExecutor(RuntimeExecutor):
    def __init__(self, id, function_version):
        super().__init__(id=id, function_version=function_version)
        self.process = self.api = self.env = self.init = self.replacement = self.memory = None
        self.tmp = tempfile.mkdtemp(prefix="lambda-tmp-")  # each environment has a /tmp of its own
        os.chmod(self.tmp, 0o711)
        self.log_lines, self.lock = [], threading.Lock()

    # --- life cycle
    def start(self, env_vars):
        self.env = {k: str(v) for k, v in env_vars.items()}
        self._spawn()

    def _spawn(self):
        with STARTING:
            self._start_process()

    def _start_process(self):
        began, cfg = time.monotonic(), self.function_version.config
        task_root = str(cfg.code.get_unzipped_code_location())
        version = (cfg.runtime or "").removeprefix("java").split(".")[0]
        home = os.environ.get(f"LAMBDA_JVM_{version}") or os.environ.get("LAMBDA_JVM_HOME") or os.environ["JAVA_HOME"]
        self.api = RuntimeApi()
        env = {**self.env, "PATH": os.environ["PATH"], "LAMBDA_TASK_ROOT": task_root,
               "AWS_LAMBDA_RUNTIME_API": self.api.address, "AWS_EXECUTION_ENV": f"AWS_Lambda_{cfg.runtime}"}
        if ecs := ecs_endpoint(config.GATEWAY_LISTEN[0].port):
            env["AWS_ENDPOINT_URL_ECS"] = ecs
        heap = max(int(cfg.memory_size * 0.85), 64)
        cmd = [f"{home}/bin/java", f"-Xmx{heap}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", f"-Djava.io.tmpdir={self.tmp}",
               f"-D{JNI}={jni_library()}", "-cp", os.environ["LAMBDA_JVM_RIC"], MAIN, cfg.handler]
        self.memory = self.memory or Memory(self.id, cfg.memory_size)
        self.process = subprocess.Popen(cmd, cwd=task_root, env=env, stdout=subprocess.PIPE, preexec_fn=self.memory.enter,
                                        stderr=subprocess.STDOUT, text=True, errors="replace")
        process = self.process
        threading.Thread(target=lambda: [self._log(line) for line in process.stdout], daemon=True).start()
        while not self.api.ready.wait(0.02):
            if self.process.poll() is not None:
                self._fail_init({"errorType": "Runtime.ExitError",
                                 "errorMessage": f"RequestId: {self.id} Error: Runtime exited during init"})
        if self.api.init_error is not None:
            self._fail_init(json.loads(self.api.init_error))
        self.init = (time.monotonic() - began) * 1000

    def _fail_init(self, error):
        payload = json.dumps(error).encode()
        LOG.warning("init of %s failed: %s\n%s", self.function_version.qualified_arn, payload, self.get_logs())
        self._kill()
        raise StatusErrorException("Environment startup failed", payload=payload)

    def _kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        if self.api:
            self.api.close()
        self.process = self.api = None

    def _replace(self):
        self._kill()
        self._spawn()

    def _settled(self):
        if self.replacement:
            concurrent.futures.wait([self.replacement])
            self.replacement = None

    def stop(self):
        self._settled()
        self._kill()
        if self.memory:
            self.memory.end()
        shutil.rmtree(self.tmp, ignore_errors=True)

    # --- invoke
    def invoke(self, payload):
        rid, timeout = payload["invoke-id"], self.function_version.config.timeout
        with self.lock:
            self.log_lines = []
        self._settled()
        if self.process is None or self.process.poll() is not None:
            self._replace()
        began = time.monotonic()
        self._log(f"START RequestId: {rid} Version: {self.function_version.id.qualifier}\n")
        slot = self.api.slots[rid] = queue.Queue()
        polls = self.api.polls
        self.api.next_requests.put((rid, payload["invoked-function-arn"], payload["payload"].encode(),
                                    payload["trace-id"], int((time.time() + timeout) * 1000)))
        deadline = time.monotonic() + timeout
        result = None
        while result is None:
            try:
                result = slot.get(timeout=0.05)
            except queue.Empty:
                if self.process.poll() is not None:
                    result = True, json.dumps({"errorType": "Runtime.ExitError", "errorMessage":
                        f"RequestId: {rid} Error: Runtime exited with error: exit status {self.process.returncode}"}).encode()
                elif time.monotonic() > deadline:
                    self._kill()
                    result = True, json.dumps({"errorType": "Sandbox.Timedout", "errorMessage":
                        f"RequestId: {rid} Error: Task timed out after {timeout:.2f} seconds"}).encode()
        took = (time.monotonic() - began) * 1000
        # An environment is free once it polls again, or ends: an invocation given to one that is about to end would be lost with it.
        settled = time.monotonic() + 2
        while self.process and self.process.poll() is None and self.api.polls == polls and time.monotonic() < settled:
            time.sleep(0.005)
        time.sleep(0.01)  # let the reader thread see what the handler printed last
        init = f"\tInit Duration: {self.init:.2f} ms" if self.init else ""
        self.init = None
        self._log(f"END RequestId: {rid}\nREPORT RequestId: {rid}\tDuration: {took:.2f} ms\tBilled Duration: "
                  f"{int(took) + 1} ms\tMemory Size: {self.function_version.config.memory_size} MB\tMax Memory Used: "
                  f"{resident_peak(self.process)} MB{init}\n")
        answer = InvocationResult(rid, result[1], is_error=result[0], logs=self.get_logs())
        if self.process is None or self.process.poll() is not None:  # after a timeout or an exit: the caller may soon try again
            self.replacement = REPLACEMENTS.submit(self._replace)
        return answer

    def _log(self, line):
        with self.lock:
            self.log_lines.append(line)

    def get_logs(self):
        with self.lock:
            return "".join(self.log_lines)

    # --- addresses
    def get_address(self):
        return "127.0.0.1"

    def get_endpoint_from_executor(self):
        return "127.0.0.1"

    def get_runtime_endpoint(self):
        return f"http://127.0.0.1:{config.GATEWAY_LISTEN[0].port}/_localstack_lambda/{self.id}"

    # --- versions
    @classmethod
    def prepare_version(cls, function_version):
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version):
        pass


class JvmRuntimeExecutorPlugin(RuntimeExecutorPlugin):
    name = "jvm"

    def load(self, *args, **kwargs):
        return JvmRuntimeExecutor
