package agentsessions.aws;

import software.amazon.awssdk.services.sfn.SfnClient;

/// Step Functions for tests that start no execution: every call of it fails.
public record NoMachine() implements SfnClient, AwsStandIn {}
