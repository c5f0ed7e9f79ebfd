"""registry.py FILE: a registry of images on loopback, and the calls to ECR that lead to it; its address is written to the file. It keeps
no image: it holds each part to its digest, and each image to its parts."""
import base64, hashlib, json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

LOGIN = base64.b64encode(b"AWS:of-the-registry").decode()
repositories, blobs, images = set(), set(), {}
uploads = {}


class Registry(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            left = int(self.headers.get("Content-Length", 0))
            while left and (part := self.rfile.read(min(left, 1 << 20))):
                left -= len(part)
                yield part
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def serve(self):
        url = urlsplit(self.path)
        if self.headers.get("X-Amz-Target"):
            return self.ecr(self.headers["X-Amz-Target"].split(".")[1], json.loads(b"".join(self.body())))
        if self.headers.get("Authorization") != "Basic " + LOGIN:
            list(self.body())
            return self.answer(401, WWW_Authenticate='Basic realm="registry"')
        if url.path == "/v2/":
            return self.answer(200)
        name, kind, rest = (url.path.removeprefix("/v2/").split("/", 2) + [""])[:3]
        if name not in repositories:
            list(self.body())
            return self.answer(404)
        match self.command, kind:
            case "HEAD", "blobs":
                self.answer(200 if rest in blobs else 404)
            case "POST", "blobs":
                place = f"/v2/{name}/blobs/uploads/{len(uploads)}"
                uploads[place] = hashlib.sha256()
                self.answer(202, Location=place)
            case "PATCH", "blobs":
                sent = 0
                for part in self.body():
                    uploads[url.path].update(part)
                    sent += len(part)
                self.answer(202, Location=url.path, Range=f"0-{max(sent - 1, 0)}")
            case "PUT", "blobs":
                for part in self.body():
                    uploads[url.path].update(part)
                digest = "sha256:" + uploads[url.path].hexdigest()
                blobs.add(digest)
                self.answer(201 if parse_qs(url.query)["digest"] == [digest] else 400, Docker_Content_Digest=digest)
            case "PUT", "manifests":
                body = b"".join(self.body())
                parts = [json.loads(body)["config"], *json.loads(body)["layers"]]
                images[f"{name}:{rest}"] = digest = "sha256:" + hashlib.sha256(body).hexdigest()
                self.answer(201 if {part["digest"] for part in parts} <= blobs else 400, Docker_Content_Digest=digest)
            case _, "manifests":
                self.answer(200 if f"{name}:{rest}" in images else 404)
            case _:
                self.answer(404)

    def ecr(self, call, given):
        address = f"127.0.0.1:{self.server.server_port}"
        match call:
            case "CreateRepository":
                name = given["repositoryName"]
                if name in repositories:
                    return self.refuse("RepositoryAlreadyExistsException", "known")
                repositories.add(name)
                said = {"repository": {"repositoryUri": f"{address}/{name}"}}
            case "DescribeRepositories":
                said = {"repositories": [{"repositoryUri": f"{address}/{name}"} for name in given["repositoryNames"]]}
            case "PutLifecyclePolicy":
                if given["repositoryName"] not in repositories or not json.loads(given["lifecyclePolicyText"])["rules"]:
                    return self.refuse("InvalidParameterException", "no such repository, or no rules")
                said = given
            case "GetAuthorizationToken":
                said = {"authorizationData": [{"authorizationToken": LOGIN, "proxyEndpoint": f"http://{address}"}]}
            case _:
                return self.refuse("UnknownOperationException", call)
        self.answer(200, json.dumps(said).encode(), Content_Type="application/x-amz-json-1.1")

    def refuse(self, kind, why):
        self.answer(400, json.dumps({"__type": kind, "message": why}).encode(), Content_Type="application/x-amz-json-1.1")

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = serve

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
with open(sys.argv[1], "w") as file:
    file.write(f"http://127.0.0.1:{server.server_port}")
server.serve_forever()
