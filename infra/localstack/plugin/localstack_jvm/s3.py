"""Private buckets: refuses unsigned requests, which S3 of the community edition answers."""
from localstack.runtime import hooks


@hooks.on_infra_start()
def refuse_unsigned_requests():
    from localstack.aws.api.s3 import AccessDenied
    from localstack.services.s3 import presigned_url

    handler = presigned_url.S3PreSignedURLRequestHandler
    check = handler.__call__

    def check_signed(self, chain, context, response):
        check(self, chain, context, response)
        s3 = context.service and context.service.service_name == "s3"
        if s3 and not context.request.headers.get("Authorization") and not presigned_url.is_presigned_url_request(context):
            context.operation = self._get_op_from_request(context.request)
            raise AccessDenied("Access Denied")

    handler.__call__ = check_signed
