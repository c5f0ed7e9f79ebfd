"""repository.py make NAME | password: the repository of images of the account and region; prints its address, or what logs in to it."""
import base64, sys

import boto3

ecr = boto3.client("ecr")


def made(name):
    try:
        return ecr.create_repository(repositoryName=name, imageScanningConfiguration={"scanOnPush": True})["repository"]
    except ecr.exceptions.RepositoryAlreadyExistsException:
        return ecr.describe_repositories(repositoryNames=[name])["repositories"][0]


match sys.argv[1:]:
    case ["make", name]:
        print(made(name)["repositoryUri"])
    case ["password"]:
        token = ecr.get_authorization_token()["authorizationData"][0]["authorizationToken"]
        print(base64.b64decode(token).decode().removeprefix("AWS:"))
