"""repository.py make NAME | password: the repository of images of the account and region; prints its address, or what logs in to it."""
import base64, json, sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError


# Each push has a tag of its own, and every image costs as long as it is kept. Deployments of an account share a repository: one that was
# not renewed for a hundred pushes has to be.
FEW = {"rules": [{"rulePriority": 1, "selection": {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": 100}, "action": {"type": "expire"}}]}


def made(ecr, name):
    try:
        found = ecr.create_repository(repositoryName=name, imageScanningConfiguration={"scanOnPush": True})["repository"]
    except ecr.exceptions.RepositoryAlreadyExistsException:
        found = ecr.describe_repositories(repositoryNames=[name])["repositories"][0]
    ecr.put_lifecycle_policy(repositoryName=name, lifecyclePolicyText=json.dumps(FEW))
    return found


try:
    client = boto3.client("ecr")
    match sys.argv[1:]:
        case ["make", name]:
            print(made(client, name)["repositoryUri"])
        case ["password"]:
            token = client.get_authorization_token()["authorizationData"][0]["authorizationToken"]
            print(base64.b64decode(token).decode().removeprefix("AWS:"))
except (BotoCoreError, ClientError) as why:
    sys.exit(f"Error: no repository of images in an AWS account: {why}")
