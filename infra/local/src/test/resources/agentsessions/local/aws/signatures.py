# Signs the requests of the table with AWS's library for Python, by a link and by a header, and lets its client put, read and list.
# Usage: signatures.py TABLE ENDPOINT, with key id and secret on standard input
import csv
import http.client
import sys
import urllib.parse

import boto3
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials

table, endpoint = sys.argv[1:]
key_id, secret = sys.stdin.read().split()
credentials = Credentials(key_id, secret)
host = urllib.parse.urlsplit(endpoint).netloc
FORM = "application/x-www-form-urlencoded"


def headers(cell):
    return dict((part.strip() for part in line.split(":", 1)) for line in cell.split("&&") if ":" in line)


def send(method, url, sent, body):
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request(method, urllib.parse.urlunsplit(("", "", parts.path, parts.query, "")), body, sent)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


failed = []


def check(what, expected, seen):
    if expected != seen:
        failed.append(f"{what}: {expected} expected, {seen} seen")


with open(table, encoding="utf-8") as rows:
    for row in csv.DictReader(rows, delimiter="|", quoting=csv.QUOTE_NONE):
        row = {name.strip(): value.strip() for name, value in row.items()}
        signed, free, body = headers(row["headers"]), headers(row["unsigned headers"]), row["body"].encode()
        # The library signs what it is told, encoded once already.
        path = urllib.parse.quote(urllib.parse.unquote(row["path"]), safe="/~")
        query = urllib.parse.quote(urllib.parse.unquote(row["query"]), safe="&=/~").replace("/", "%2F")
        url = f"{endpoint}{path}?{query}"
        for way in (S3SigV4QueryAuth, S3SigV4Auth):
            by_link = way is S3SigV4QueryAuth
            # A link says nothing of the body.
            request = AWSRequest(row["method"], url, headers=dict(signed), data=b"" if by_link else body)
            way(credentials, "s3", "us-east-1", **({"expires": 300} if by_link else {})).add_auth(request)
            sent = free | dict(request.headers.items())
            check(f"{row['what']} by {way.__name__}", int(row["status"]), send(row["method"], request.url, sent, body))

store = boto3.client(
    "s3",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id=key_id,
    aws_secret_access_key=secret,
    config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
)
bucket = "agent-sessions"
for name in ("artifacts/python/plain", "artifacts/python/ü +~(a)!'*@&=$"):
    store.put_object(Bucket=bucket, Key=name, Body=b"hello", ContentType=FORM, Metadata={"a": "b  c"})
    check(name, b"hello", store.get_object(Bucket=bucket, Key=name)["Body"].read())
    link = store.generate_presigned_url("put_object", Params={"Bucket": bucket, "Key": name, "ContentType": FORM})
    check(f"{name} by a link", 200, send("PUT", link, {"Content-Type": FORM}, b"a=b&c"))
    check(f"{name} by a link with another type", 403, send("PUT", link, {"Content-Type": "text/plain"}, b"a=b&c"))
    check(name, b"a=b&c", store.get_object(Bucket=bucket, Key=name)["Body"].read())
check("a listing", 2, store.list_objects_v2(Bucket=bucket, Prefix="artifacts/python/", Delimiter="/")["KeyCount"])
large = store.create_multipart_upload(Bucket=bucket, Key="artifacts/python/large")
named = {name: large[name] for name in ("Bucket", "Key", "UploadId")}
part = {"PartNumber": 1, "ETag": store.upload_part(**named, PartNumber=1, Body=b"x" * 1000)["ETag"]}
store.complete_multipart_upload(**named, MultipartUpload={"Parts": [part]})
check("a part", 1000, store.head_object(Bucket=bucket, Key="artifacts/python/large")["ContentLength"])

print("\n".join(failed))
sys.exit(bool(failed))
