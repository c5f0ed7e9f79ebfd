"""A service that answers what it is told, in order, and keeps what it was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub:
    def __init__(self):
        stub = self
        self.answers, self.asked = [], []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                stub.asked.append((self.command, self.path, dict(self.headers), json.loads(body) if body else None))
                status, headers, content = stub.answers.pop(0)
                if status == 0:  # hangs up
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content if isinstance(content, bytes) else json.dumps(content).encode())

            do_POST = do_DELETE = do_PATCH = do_GET

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, status, content=b"", **headers):
        self.answers.append((status, {name.replace("_", "-"): value for name, value in headers.items()}, content))

    def stream(self, text):
        self.answer(200, text.encode(), Content_Type="text/event-stream")

    def close(self):
        self.server.shutdown()
        self.server.server_close()
