"""plan_key.py add PLAN STACK | name USAGE_ID KEY_ID | remove NAME: the gateway's part of an API key, its random usage id.
Not the key: the gateway never learns a secret. By its tag the stack's functions may delete it."""
import secrets, string, sys

import boto3

gateway = boto3.client("apigateway")


def named(name):
    return [key["id"] for key in gateway.get_api_keys(nameQuery=name)["items"] if key["name"] == name]


match sys.argv[1:]:
    case ["add", plan, stack]:
        usage = "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(32))
        key = gateway.create_api_key(name=usage, value=usage, enabled=True, tags={"agent-sessions": stack})["id"]
        gateway.create_usage_plan_key(usagePlanId=plan, keyId=key, keyType="API_KEY")
        print(usage)
    case ["name", usage, key_id]:
        for key in named(usage):
            gateway.update_api_key(apiKey=key, patchOperations=[{"op": "replace", "path": "/name", "value": key_id}])
    case ["remove", name]:
        for key in named(name):
            gateway.delete_api_key(apiKey=key)
