"""permissions.py [--some] CALLS REASONS [CODE]: judges what the functions of the stacks at AWS_ENDPOINT_URL have called by the inline policies
of their roles, as IAM would, since LocalStack does not. CALLS has a JSON object a line, as the plugin in infra/localstack writes them down: role, service,
operation, request. Prints what each function may do and never did, and exits with 1 for a call that IAM would refuse, and for an action that
a function may use, but that no call used, unless a line of REASONS ("FUNCTION ACTION why") says why. With --some only the first is an error:
for a run that is not to use everything. CODE is javap's listing of the functions' classes: an operation that they call, and no function did, is an
error, too ("code ACTION why" in REASONS).
Which action and resource a call needs is said in AWS's Service Authorization Reference. A call that is not known here is an error."""
import collections, json, re, sys
from urllib.parse import unquote

# An action and a resource; None stands for one that the call does not name, so that any will do.
Need = collections.namedtuple("Need", "action resource context")
Statement = collections.namedtuple("Statement", "effect actions resources condition")

S3 = {"GetObject": "GetObject", "HeadObject": "GetObject", "PutObject": "PutObject", "CreateMultipartUpload": "PutObject", "UploadPart": "PutObject",
      "CompleteMultipartUpload": "PutObject", "AbortMultipartUpload": "AbortMultipartUpload", "DeleteObject": "DeleteObject"}
LISTS = {"ListObjectsV2": "ListBucket", "ListObjects": "ListBucket", "HeadBucket": "ListBucket", "ListMultipartUploads": "ListBucketMultipartUploads",
         "ListObjectVersions": "ListBucketVersions"}
TRANSACTED = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem", "Get": "GetItem"}
GATEWAY = {"GetApiKeys": ("GET", "/apikeys"), "CreateApiKey": ("POST", "/apikeys"), "DeleteApiKey": ("DELETE", "/apikeys/{apiKey}"),
           "CreateUsagePlanKey": ("POST", "/usageplans/{usagePlanId}/keys"), "GetUsagePlanKeys": ("GET", "/usageplans/{usagePlanId}/keys")}
# The SDK's names of services, and what its clients have that is no operation.
SERVICES = {"sfn": "stepfunctions"}
OF_CLIENTS = {"builder", "create", "close", "serviceName", "serviceClientConfiguration", "waiter", "utilities"}
# What a policy may ask of a resource that a call does not tell. Taken to hold, and counted.
GRANTED = re.compile("aws:ResourceTag/.*")
granted = collections.Counter()


class Unknown(Exception):
    pass


def matches(pattern, text):
    """Whether a pattern of IAM does, in which * stands for any text and ? for a character."""
    return re.fullmatch("".join({"*": ".*", "?": "."}.get(one, re.escape(one)) for one in pattern), text, re.S) is not None


def needs(call, region="us-east-1", account="000000000000"):
    """What IAM asks of a call."""
    service, operation, request = call["service"], call["operation"], call["request"]
    arn = f"arn:aws:{{}}:{region}:{account}:{{}}".format
    if service == "dynamodb":
        return list(of_table(operation, request, lambda name: name if name.startswith("arn:") else arn("dynamodb", f"table/{name}")))
    if service == "s3":
        bucket = f"arn:aws:s3:::{request['Bucket']}"
        if asks := [one for one in ("Tagging", "ACL", "VersionId", "ObjectLockMode", "SSEKMSKeyId") if request.get(one)]:
            raise Unknown(f"s3:{operation} with {', '.join(asks)}")
        if operation in LISTS:
            return [Need(f"s3:{LISTS[operation]}", bucket, {})]
        if operation == "DeleteObjects":
            return [Need("s3:DeleteObject", f"{bucket}/{one['Key']}", {}) for one in request["Delete"]["Objects"]]
        if operation in ("CopyObject", "UploadPartCopy"):
            source = request["CopySource"]
            source = source if isinstance(source, str) else f"{source['Bucket']}/{source['Key']}"
            return [Need("s3:PutObject", f"{bucket}/{request['Key']}", {}), Need("s3:GetObject", "arn:aws:s3:::" + unquote(source).lstrip("/"), {})]
        if operation in S3:
            return [Need(f"s3:{S3[operation]}", f"{bucket}/{request['Key']}", {})]
    if service == "stepfunctions":
        # The machine of a task's token is not said.
        return [Need(f"states:{operation}", request.get("stateMachineArn") or request.get("executionArn"), {})]
    if service == "ssm":
        context = {"ssm:Overwrite": str(bool(request.get("Overwrite"))).lower()} if operation == "PutParameter" else {}
        names = request.get("Names") or [request["Name"]]
        return [Need(f"ssm:{operation}", arn("ssm", "parameter/" + name.lstrip("/")), context) for name in names]
    if service == "lambda" and operation == "Invoke":
        if request.get("InvocationType") == "DryRun":
            return []  # it only asks whether it may, and a refusal is an answer
        function = request["FunctionName"]
        function = function if function.startswith("arn:") else arn("lambda", f"function:{function}")
        qualifier = request.get("Qualifier")
        return [Need("lambda:InvokeFunction", f"{function}:{qualifier}" if qualifier and function.count(":") == 6 else function, {})]
    if service == "secretsmanager":
        return [Need(f"secretsmanager:{operation}", request["SecretId"], {})]
    if service == "iam":
        return [Need(f"iam:{operation}", f"arn:aws:iam::{account}:user/{request['UserName']}", {})]
    if service == "sns":
        return [Need(f"sns:{operation}", request["TopicArn"], {})]
    if service == "ecs":
        return list(of_tasks(operation, request, arn))
    if service == "apigateway" and operation in GATEWAY:
        method, path = GATEWAY[operation]
        said = [Need(f"apigateway:{method}", f"arn:aws:apigateway:{region}::{path.format(**request)}", {})]
        return said + [Need("apigateway:PUT", f"arn:aws:apigateway:{region}::/tags/arn%3Aapikeys%2Fnew", {})] * bool(request.get("tags"))
    if service == "logs" or (service, operation) == ("sts", "GetCallerIdentity"):
        return []  # Lambda itself writes the former; the latter needs no permission
    raise Unknown(f"{service}:{operation}")


def of_table(operation, request, table):
    if operation in ("TransactWriteItems", "TransactGetItems"):
        for item in request["TransactItems"]:
            (kind, one), = item.items()
            yield from of_table(TRANSACTED[kind], one, table)
    elif operation in ("BatchGetItem", "BatchWriteItem"):
        for name, of in request["RequestItems"].items():
            keys = of["Keys"] if operation == "BatchGetItem" else [next(iter(one.values())) for one in of]
            yield Need(f"dynamodb:{operation}", table(name), {"dynamodb:LeadingKeys": [leading(one) for one in keys]})
    elif operation in ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"):
        context = {"dynamodb:LeadingKeys": [leading(request)], "dynamodb:Attributes": attributes(request)}
        if "ReturnValues" in request:
            context["dynamodb:ReturnValues"] = request["ReturnValues"]
        yield Need(f"dynamodb:{operation}", table(request["TableName"]), context)
    elif operation in ("Query", "Scan"):
        index = f"/index/{request['IndexName']}" if request.get("IndexName") else ""
        key = re.search(r"(?<![<>])=\s*(:\w+)", request.get("KeyConditionExpression", ""))
        context = {"dynamodb:LeadingKeys": [text_of(request["ExpressionAttributeValues"][key[1]])]} if key else {}
        yield Need(f"dynamodb:{operation}", table(request["TableName"]) + index, context)
    else:
        raise Unknown(f"dynamodb:{operation}")


def leading(one):
    item = one.get("Key") or one.get("Item") or one
    return text_of(item["PK"])


def text_of(value):
    (text,) = value.values()
    return text


def attributes(request):
    """The names of all attributes that a request has in its keys, its item and its expressions."""
    found = set(request.get("Key") or request.get("Item") or {})
    for expression in ("UpdateExpression", "ConditionExpression", "ProjectionExpression"):
        for word in re.findall(r"(?<![:\w])[#A-Za-z_]\w*(?!\w*\s*\()", request.get(expression, "")):
            if word.upper() not in ("SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"):
                found.add(request.get("ExpressionAttributeNames", {}).get(word, word))
    return sorted(found)


def of_tasks(operation, request, arn):
    cluster = request.get("cluster", "default")
    cluster = cluster if cluster.startswith("arn:") else arn("ecs", f"cluster/{cluster}")
    context = {"ecs:cluster": cluster}
    if operation == "RunTask":
        yield Need("ecs:RunTask", request["taskDefinition"], context)
        # The roles of the definition: one of a call's own is refused by the stand-in.
        yield Need("iam:PassRole", None, {"iam:PassedToService": "ecs-tasks.amazonaws.com"})
    elif operation in ("StopTask", "DescribeTasks"):
        for task in [request["task"]] if operation == "StopTask" else request["tasks"]:
            yield Need(f"ecs:{operation}", task if task.startswith("arn:") else arn("ecs", f"task/{cluster.split('/')[-1]}/{task}"), context)
    else:
        raise Unknown(f"ecs:{operation}")


def holds(condition, context):
    """Whether the condition of a statement does. An operator that is not known here is an error."""
    return all(test(operator, key, as_list(values), context) for operator, keys in condition.items() for key, values in keys.items())


def test(operator, key, values, context):
    kind, _, name = operator.rpartition(":")
    name, if_exists = name.removesuffix("IfExists"), name.endswith("IfExists")
    if GRANTED.fullmatch(key):
        granted[key] += 1
        return True
    given = context.get(key)
    if (kind, name) == ("", "StringNotEquals"):
        return given is None or given not in values
    if name not in ("StringEquals", "StringLike", "ArnEquals", "ArnLike"):
        raise Unknown(f"the operator {operator}")
    if given is None:
        return if_exists or kind == "ForAllValues"
    said = [any(one == value if name == "StringEquals" else matches(value, one) for value in values) for one in as_list(given)]
    return any(said) if kind == "ForAnyValue" else all(said)


def as_list(value):
    return value if isinstance(value, list) else [value]


def statements(document):
    return [Statement(one["Effect"], as_list(one["Action"]), as_list(one["Resource"]), one.get("Condition", {})) for one in as_list(document["Statement"])]


def judge(need, policy):
    """Why IAM would refuse it; None if it would not."""
    def applies(one):
        resource = need.resource is None or any(matches(pattern, need.resource) for pattern in one.resources)
        return any(matches(action.lower(), need.action.lower()) for action in one.actions) and resource and holds(one.condition, need.context)

    applying = {one.effect for one in policy if applies(one)}
    return "denied" if "Deny" in applying else None if "Allow" in applying else "not allowed"


def policies_of_roles():
    """The statements of each role of the account, by its name."""
    import boto3
    iam = boto3.client("iam")
    found = {}
    for page in iam.get_paginator("list_roles").paginate():
        for role in page["Roles"]:
            names = iam.list_role_policies(RoleName=role["RoleName"])["PolicyNames"]
            documents = [iam.get_role_policy(RoleName=role["RoleName"], PolicyName=name)["PolicyDocument"] for name in names]
            found[role["RoleName"]] = [one for document in documents for one in statements(document)]
    return found


def function_of(role):
    """The logical name of the function whose role it is, of the name that CloudFormation has given it: STACK-NAMERole-RANDOM."""
    found = re.search(r"-(\w+)Role-\w+$", role)
    return found[1] if found else role


def is_primed(call):
    """Whether a function made it for nothing before its snapshot, which shows no use of it: of the workspace `-`, or with nobody's token."""
    request = call["request"]
    return '"W#-#' in json.dumps(request) or request.get("taskToken") == "-" or request.get("name") == "nothing"


def called_in(listing):
    """The operations that classes call, as `service:Operation`, of what javap prints of them."""
    made = re.findall(r"software/amazon/awssdk/services/(\w+)/(?:presigner/)?\w+(?:Client|Presigner)\.(\w+):", listing)
    names = {(SERVICES.get(service, service), re.sub("^presign|Paginator$|AsBytes$", "", method)) for service, method in made}
    return {f"{service}:{name[0].upper()}{name[1:]}" for service, name in names if name not in OF_CLIENTS}


def main(*arguments):
    some = arguments[0] == "--some"
    calls, reasons, *code = arguments[some:]
    policies, seen, refused, made = policies_of_roles(), collections.defaultdict(set), collections.Counter(), set()
    judged = collections.Counter()
    for line in open(calls):
        call = json.loads(line)
        if call["role"] not in policies:
            refused[f"{call['role']}: {call['service']}:{call['operation']}, of a role that is not there"] += 1
            continue
        function = function_of(call["role"])
        if not is_primed(call):
            made.add(f"{call['service']}:{call['operation']}")
        try:
            asked = needs(call)
        except Unknown as unknown:
            refused[f"{function}: {unknown}, which is not known here"] += 1
            continue
        for need in asked:
            judged[function] += 1
            if not is_primed(call):
                seen[function].add(need.action)
            if why := judge(need, policies[call["role"]]):
                refused[f"{function}: {need.action} on {need.resource}: {why}{of_key(need)}"] += 1
    known = {tuple(line.split(None, 2)[:2]) for line in open(reasons) if line.strip() and line[0] != "#"}
    unused = set()
    for role, policy in sorted(policies.items()):
        function = function_of(role)
        never = sorted({action for one in policy if one.effect == "Allow" for action in one.actions if not action.startswith("logs:")} - set(seen[function]))
        unused |= {(function, action) for action in never}
        print(f"{function}: {judged[function]} calls of {len(seen[function])} actions" + (f"; never {', '.join(never)}" if never else ""))
    for key, times in granted.items():
        print(f"Taken to hold, {times} times: {key}")
    mistakes = [f"IAM would refuse, {times} times: {what}" for what, times in refused.items()]
    if not some:
        unused |= {("code", one) for listing in code for one in called_in(open(listing).read()) - made}
        mistakes += [f"nothing here used what {function} may: {action}" for function, action in sorted(unused - known)]
    for mistake in mistakes or ([] if judged else ["no function has called anything"]):
        print("Error: " + mistake, file=sys.stderr)
    print(f"{sum(judged.values())} calls judged, {sum(refused.values())} refused")
    return bool(mistakes) or not judged


def of_key(need):
    keys = need.context.get("dynamodb:LeadingKeys")
    return f", with keys such as {re.sub('[0-9a-f]{8}-[0-9a-f-]{27}', '…', keys[0])}" if keys else ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
