"""What IAM would say of a call, by rules that AWS documents."""
import unittest

from permissions import Need, Unknown, attributes, called_in, judge, matches, needs, statements

TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/t"
WRITES = statements({"Statement": [
    {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:UpdateItem"], "Resource": TABLE},
    {"Effect": "Deny", "Action": "dynamodb:PutItem", "Resource": TABLE, "Condition": {"ForAnyValue:StringLike": {"dynamodb:LeadingKeys": ["KEY#*", "W#*#KEYS"]}}}]})


def said(service, operation, request, policy):
    return [judge(need, policy) for need in needs({"service": service, "operation": operation, "request": request})]


def put(key):
    return {"TableName": "t", "Item": {"PK": {"S": key}, "SK": {"S": "0"}}}


class PermissionsTest(unittest.TestCase):
    def test_patterns(self):
        self.assertTrue(matches("a/*/b?", "a/x/y/bz"))
        self.assertFalse(matches("a.c", "abc"))
        self.assertFalse(matches("a", "ab"))

    def test_each_action_is_judged_by_its_own_name(self):
        reads = statements({"Statement": {"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": TABLE}})
        key = {"PK": {"S": "W#a"}, "SK": {"S": "0"}}
        self.assertEqual(said("dynamodb", "GetItem", {"TableName": "t", "Key": key}, reads), [None])
        self.assertEqual(said("dynamodb", "BatchGetItem", {"RequestItems": {"t": {"Keys": [key]}}}, reads), ["not allowed"])
        self.assertEqual(said("dynamodb", "Query", {"TableName": "t", "IndexName": "i"}, reads), ["not allowed"])

    def test_a_denial_wins_for_the_keys_that_it_names(self):
        self.assertEqual(said("dynamodb", "PutItem", put("W#a#S"), WRITES), [None])
        self.assertEqual(said("dynamodb", "PutItem", put("KEY#a"), WRITES), ["denied"])
        self.assertEqual(said("dynamodb", "PutItem", put("W#a#KEYS"), WRITES), ["denied"])

    def test_a_transaction_needs_what_its_parts_do(self):
        check = {"TableName": "t", "Key": {"PK": {"S": "a"}}, "ConditionExpression": "x = :y"}
        parts = {"TransactItems": [{"Put": put("W#a")}, {"Put": put("KEY#a")}, {"ConditionCheck": check}]}
        self.assertEqual(said("dynamodb", "TransactWriteItems", parts, WRITES), [None, "denied", "not allowed"])

    def test_all_keys_of_a_batch_must_be_allowed(self):
        some = statements({"Statement": {"Effect": "Allow", "Action": "dynamodb:*", "Resource": "*",
                                         "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": "W#*"}}}})
        batch = {"RequestItems": {"t": [{"PutRequest": {"Item": {"PK": {"S": key}}}} for key in ("W#a", "X#a")]}}
        self.assertEqual(said("dynamodb", "BatchWriteItem", batch, some), ["not allowed"])
        query = {"TableName": "t", "KeyConditionExpression": "PK = :p AND SK > :s", "ExpressionAttributeValues": {":p": {"S": "W#a"}, ":s": {"S": ""}}}
        self.assertEqual(said("dynamodb", "Query", query, some), [None])

    def test_attributes_are_those_of_keys_and_expressions(self):
        self.assertEqual(attributes({"Key": {"PK": {}, "SK": {}}, "UpdateExpression": "SET #a = if_not_exists(b, :c) REMOVE d",
                                     "ConditionExpression": "attribute_exists(e) AND f < :g", "ExpressionAttributeNames": {"#a": "A"}}),
                         ["A", "PK", "SK", "b", "d", "e", "f"])

    def test_objects_are_judged_by_bucket_and_key(self):
        policy = statements({"Statement": [{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/texts/*"}]})
        self.assertEqual(said("s3", "HeadObject", {"Bucket": "b", "Key": "texts/a/b", "VersionId": None}, policy), [None])
        with self.assertRaises(Unknown):
            said("s3", "GetObject", {"Bucket": "b", "Key": "texts/a/b", "VersionId": "1"}, policy)
        self.assertEqual(said("s3", "GetObject", {"Bucket": "b", "Key": "uploads/a"}, policy), ["not allowed"])
        self.assertEqual(said("s3", "ListObjectsV2", {"Bucket": "b"}, policy), ["not allowed"])
        self.assertEqual(said("s3", "CopyObject", {"Bucket": "b", "Key": "c", "CopySource": "b/texts/a%20b"}, policy), ["not allowed", None])

    def test_a_parameter_is_not_written_over(self):
        once = statements({"Statement": {"Effect": "Allow", "Action": ["ssm:PutParameter", "ssm:GetParameters"], "Resource": "*",
                                         "Condition": {"StringNotEquals": {"ssm:Overwrite": "true"}}}})
        self.assertEqual(said("ssm", "PutParameter", {"Name": "/a"}, once), [None])
        self.assertEqual(said("ssm", "PutParameter", {"Name": "/a", "Overwrite": True}, once), ["not allowed"])
        self.assertEqual(said("ssm", "GetParameters", {"Names": ["/a", "/b"]}, once), [None, None])

    def test_operations_are_found_in_classes(self):
        listing = """
            7: invokeinterface #1, 2 // InterfaceMethod software/amazon/awssdk/services/dynamodb/DynamoDbClient.batchGetItem:(Lsoftware/a;)Lsoftware/b;
            8: invokeinterface #1, 2 // InterfaceMethod software/amazon/awssdk/services/sfn/SfnClient.sendTaskSuccess:(Ljava/c;)Lsoftware/b;
            9: invokeinterface #2, 1 // InterfaceMethod software/amazon/awssdk/services/s3/presigner/S3Presigner.presignPutObject:()Lsoftware/b;
           10: invokeinterface #2, 1 // InterfaceMethod software/amazon/awssdk/services/apigateway/ApiGatewayClient.getApiKeysPaginator:()Lsoftware/b;
           11: invokestatic    #3    // InterfaceMethod software/amazon/awssdk/services/ssm/SsmClient.builder:()Lsoftware/b;"""
        self.assertEqual(called_in(listing), {"dynamodb:BatchGetItem", "stepfunctions:SendTaskSuccess", "s3:PutObject", "apigateway:GetApiKeys"})

    def test_if_exists_and_what_nobody_knows(self):
        some = statements({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"StringEqualsIfExists": {"k": ["a"]}}}})
        self.assertEqual([judge(Need("x:Y", "r", context), some) for context in ({}, {"k": "a"}, {"k": "b"})], [None, None, "not allowed"])
        self.assertEqual(judge(Need("x:Y", None, {}), some), None)
        odd = statements({"Statement": {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"DateLessThan": {"k": "a"}}}})
        with self.assertRaises(Unknown):
            judge(Need("x:Y", "r", {}), odd)
        with self.assertRaises(Unknown):
            needs({"service": "dynamodb", "operation": "UpdateTable", "request": {}})

    def test_functions_by_name_arn_and_alias(self):
        live = statements({"Statement": {"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": "arn:aws:lambda:us-east-1:000000000000:function:f:live"}})
        for request in ({"FunctionName": "f", "Qualifier": "live"}, {"FunctionName": "arn:aws:lambda:us-east-1:000000000000:function:f:live"}):
            self.assertEqual(said("lambda", "Invoke", request, live), [None])
        self.assertEqual(said("lambda", "Invoke", {"FunctionName": "f"}, live), ["not allowed"])


if __name__ == "__main__":
    unittest.main()
