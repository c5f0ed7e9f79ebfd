"""limits.py TEMPLATE: holds what SAM makes of a template to what AWS documents and neither cfn-lint nor LocalStack knows, by the
names and sizes of an account that could be. Prints what it counted; exit 1, with a line for each limit that is passed.
A goal stands where a limit is for ever: an update holds old and new permissions for a while, and the project grows."""
import collections, copy, io, itertools, json, logging, os, sys, time, zipfile

os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
logging.disable(logging.WARNING)
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

KB, MB = 1 << 10, 1 << 20
# What a function's process held in MB after it had answered: measured with Lambda's runtime client, C1 and the serial collector.
MEASURED = {"service": 192, "authorizer": 137, "runner": 113, "rotation": 130}
VALUES = {"AWS::Partition": "aws", "AWS::Region": "ap-southeast-4", "AWS::AccountId": "123456789012", "AWS::StackName": "agent-sessions-of-a-team",
          "AWS::URLSuffix": "amazonaws.com", "AWS::NoValue": ""}
passed, counted = [], {}


def hold(what, value, most, why):
    if value > most:
        passed.append(f"{what}: {value:,} of {most:,} ({why})")


class Policies:
    def load(self):
        return {}


path = sys.argv[1]
template = yaml_parse(open(path).read())
for resource in template["Resources"].values():
    for code in ("CodeUri", "DefinitionUri"):
        if isinstance(uri := resource.get("Properties", {}).get(code), str):
            resource["Properties"][code] = "s3://bucket/" + uri
parameters = {name: str(said.get("Default", "")) for name, said in template.get("Parameters", {}).items()} | {"Release": "0123456789"}
resources = transform(copy.deepcopy(template), parameters, Policies())["Resources"]


def text(value, depth=0):
    """What a value comes to, of the longest names that there could be."""
    if isinstance(value, list):
        return max((text(one) for one in value), key=len, default="")
    if not isinstance(value, dict):
        return str(value)
    (function, of), = value.items()
    if function == "Ref" or function == "Fn::GetAtt":
        name = of if isinstance(of, str) else of[0]
        if name in VALUES:
            return VALUES[name]
        if name in parameters:
            return parameters[name] or "x" * 60
        made = f"{VALUES['AWS::StackName']}-{name}-AAAAAAAAAAAA"
        kind = resources.get(name, {}).get("Type", "")
        if kind == "AWS::ApiGateway::RestApi":
            return "abcdefghij"
        if kind == "AWS::Lambda::Alias":
            made = f"{VALUES['AWS::StackName']}-{name.removesuffix('Aliaslive')}-AAAAAAAAAAAA:live"
        named = function == "Ref" and kind not in ("AWS::Lambda::Alias", "AWS::StepFunctions::StateMachine", "AWS::SecretsManager::Secret")
        return made if named else f"arn:aws:service:{VALUES['AWS::Region']}:123456789012:function:{made}"
    if function == "Fn::Sub":
        said, given = (of, {}) if isinstance(of, str) else of
        for name in {part.split("}")[0] for part in said.split("${")[1:]}:
            value = given[name] if name in given else {"Ref": name} if "." not in name else {"Fn::GetAtt": name.split(".")}
            said = said.replace("${" + name + "}", text(value))
        return said
    return max(text(of[1]), text(of[2]), key=len) if function == "Fn::If" else text(list(value.values()))


def of_type(kind):
    return {name: one["Properties"] for name, one in resources.items() if one["Type"] == kind}


# Lambda: "the final policy size is bigger than the limit (20480)", which cannot be raised.
policies = collections.defaultdict(list)
for name, allowed in of_type("AWS::Lambda::Permission").items():
    policies[text(allowed["FunctionName"])].append({
        "Sid": f"{VALUES['AWS::StackName']}-{name}-AAAAAAAAAAAA", "Effect": "Allow", "Principal": {"Service": allowed["Principal"]},
        "Action": allowed["Action"], "Resource": text(allowed["FunctionName"]),
        "Condition": {"ArnLike": {"AWS:SourceArn": text(allowed["SourceArn"])}}})
sizes = {function: len(json.dumps({"Version": "2012-10-17", "Id": "default", "Statement": statements}, separators=(",", ":")))
         for function, statements in policies.items()}
for function, size in sizes.items():
    hold(f"bytes of the resource policy of {function.split('function:')[-1]}", size, 10 * KB, "20,480 for ever; an update holds both sets")
counted["largest resource policy"] = f"{max(sizes.values(), default=0):,} bytes"

# CloudFormation's quotas.
hold("resources", len(resources), 400, "500 a stack")
hold("parameters", len(template.get("Parameters", {})), 180, "200 a stack")
hold("outputs", len(template.get("Outputs", {})), 180, "200 a stack")
hold("bytes of the template", len(json.dumps(resources)), 900 * KB, "1 MB by S3")
counted["resources"] = len(resources)

functions = of_type("AWS::Lambda::Function")
for name, function in functions.items():
    variables = function.get("Environment", {}).get("Variables", {})
    size = len(json.dumps({key: text(value) for key, value in variables.items()}))
    hold(f"bytes of the variables of {name}", size, 3 * KB, "4 KB a function")
    hold(f"characters of the description of {name}", len(function.get("Description", "")), 256, "256")
    measured = next((most for zipped, most in MEASURED.items() if f"/{zipped}.zip" in str(function["Code"])), 0)
    memory = int(text(function.get("MemorySize", 128)))
    hold(f"MB that {name} needs, and half as much again", measured * 3 // 2, memory, "its MemorySize, over which Lambda kills it")
for name, alarm in of_type("AWS::CloudWatch::Alarm").items():
    hold(f"characters of the description of {name}", len(alarm.get("AlarmDescription", "")), 1024, "1,024")
    hold(f"metrics of {name}", len(alarm.get("Metrics", [])), 10, "10 in an expression")
filters = collections.Counter(text(one["LogGroupName"]) for one in of_type("AWS::Logs::MetricFilter").values())
for log, many in filters.items():
    hold(f"metric filters of {log}", many, 100, "100 a log group")
for name, role in of_type("AWS::IAM::Role").items():
    own = [one["PolicyDocument"] for one in role.get("Policies", [])]
    own += [one["PolicyDocument"] for one in of_type("AWS::IAM::Policy").values() if name in [text(r) for r in one["Roles"]] or {"Ref": name} in one["Roles"]]
    hold(f"characters of the inline policies of {name}", sum(len(json.dumps(one)) for one in own), 10_240, "10,240 a role")

# The API: an imported body, and what it makes.
for name, api in of_type("AWS::ApiGateway::RestApi").items():
    body = api.get("Body", {})
    paths = {"/".join(path.split("/")[:n + 1]) for path in body.get("paths", {}) for n in range(1, path.count("/") + 1)}
    hold(f"resources of {name}", len(paths) + 1, 300, "300 an API")
    hold(f"bytes of the body of {name}", len(json.dumps(body)), 6 * MB, "6 MB an import")
    counted["paths and methods"] = f"{len(body.get('paths', {}))} and {sum(map(len, body.get('paths', {}).values()))}"

# API Gateway serves deployments, and SAM makes another one for a changed definition, which it compares as it is written: a parameter
# that the definition names must lead to another one, too. One that is always made has a name of the second in which it is.
time.time = itertools.count().__next__


def deployments(changed):
    return {name for name, one in transform(copy.deepcopy(template), changed, Policies())["Resources"].items() if one["Type"] == "AWS::ApiGateway::Deployment"}


written = json.dumps([one["Properties"].get("DefinitionBody") for one in template["Resources"].values() if one["Type"] == "AWS::Serverless::Api"])
deciding = written + json.dumps([test for name, test in template.get("Conditions", {}).items() if f'["{name}"' in written])
for name in parameters:
    if f'{{"Ref": "{name}"}}' in deciding or f"${{{name}}}" in deciding:
        other = deployments(parameters | {name: "https://other.example.com"})
        hold(f"deployments of the API that stay when {name} changes", len(other & deployments(parameters)), 0, "the stage would serve the old one")

# Who has no key. A preflight has none either.
for name, stage in of_type("AWS::ApiGateway::Stage").items():
    rates = {(one["HttpMethod"], one["ResourcePath"].replace("/", "", 1).replace("~1", "/") or "/"): one["ThrottlingRateLimit"] for one in stage["MethodSettings"]}
    body = resources[stage["RestApiId"]["Ref"]]["Properties"]["Body"]
    open_to_all = [(method, where) for where, methods in body["paths"].items() for method, said in methods.items() if not said.get("security")]
    rate = sum(rates.get(("ANY" if method.startswith("x-") else method.upper(), where), rates["*", "*"]) for method, where in open_to_all)
    hold("requests a second that need no key", rate, 9000, "10,000 an account, of which those with keys keep a tenth")
    # A million: 3.50 for the gateway, and 0.92 for a function's call of 10 ms with its log (Price.java); preflights call none.
    calling = sum(rates.get(("ANY" if method.startswith("x-") else method.upper(), where), rates["*", "*"]) for method, where in open_to_all if method != "options")
    counted["requests without a key"] = f"{rate:,} a second at most, ${(rate * 3.5 + calling * 0.92) * 3600 / 1e6:.0f} an hour"

# What is paid for while nobody asks: alarms are billed by their metrics, ten of which are free.
metrics = sum(sum("MetricStat" in one for one in alarm["Metrics"]) if "Metrics" in alarm else 1 for alarm in of_type("AWS::CloudWatch::Alarm").values())
idle = 0.40 * len(of_type("AWS::SecretsManager::Secret")) + 0.10 * max(0, metrics - 10)
counted["alarm metrics"] = f"{metrics}, with the secret ${idle:.2f} a month"

# Code: 250 MB unpacked; 75 GB in an account and Region, in which each version stays.
stored, unbuilt = 0, 0
for resource in template["Resources"].values():
    code = str(resource.get("Properties", {}).get("CodeUri", "")).removeprefix("s3://bucket/")
    if not code:
        continue
    archive = os.path.join(os.path.dirname(os.path.abspath(path)), code)
    if not os.path.isfile(archive):
        unbuilt += 1
        continue
    stored += os.path.getsize(archive)
    with zipfile.ZipFile(archive) as packed:
        hold(f"bytes of {code}, unpacked", sum(one.file_size for one in packed.infolist()), 250 * MB, "250 MB a function")
if stored:
    counted["code stored by a deployment"] = f"{stored / 1e6:.0f} MB of 75 GB"
if unbuilt:
    counted["functions not built, so not weighed"] = unbuilt

print("\n".join(f"{what}: {value}" for what, value in counted.items()))
for line in passed:
    print("Error: over a limit of AWS: " + line, file=sys.stderr)
sys.exit(bool(passed))
