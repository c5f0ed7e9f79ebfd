package agentsessions.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.services.ssm.model.DeleteParameterRequest;
import software.amazon.awssdk.services.ssm.model.DeleteParameterResponse;
import software.amazon.awssdk.services.ssm.model.GetParametersRequest;
import software.amazon.awssdk.services.ssm.model.GetParametersResponse;
import software.amazon.awssdk.services.ssm.model.Parameter;
import software.amazon.awssdk.services.ssm.model.ParameterAlreadyExistsException;
import software.amazon.awssdk.services.ssm.model.ParameterNotFoundException;
import software.amazon.awssdk.services.ssm.model.ParameterType;
import software.amazon.awssdk.services.ssm.model.PutParameterRequest;
import software.amazon.awssdk.services.ssm.model.PutParameterResponse;

/// Parameter Store in a map. An action can be set that comes before a call.
public final class InMemoryParameters implements SsmClient, AwsStandIn {
  public final Map<String, String> values = new TreeMap<>();
  public final List<Runnable> beforeReads = new ArrayList<>();
  public final List<Runnable> beforeWrites = new ArrayList<>();

  @Override
  public PutParameterResponse putParameter(PutParameterRequest request) {
    next(beforeWrites);
    if (request.type() != ParameterType.SECURE_STRING || request.overwrite()) {
      throw new AssertionError("not as a secret is made: " + request.name());
    }
    if (values.putIfAbsent(request.name(), request.value()) != null) {
      throw ParameterAlreadyExistsException.builder().message("there").build();
    }
    return PutParameterResponse.builder().build();
  }

  @Override
  public GetParametersResponse getParameters(GetParametersRequest request) {
    next(beforeReads);
    if (request.names().isEmpty() || request.names().size() > 10) {
      throw new AssertionError("from 1 to 10 names");
    }
    return GetParametersResponse.builder()
        .parameters(
            request.names().stream()
                .filter(values::containsKey)
                .map(name -> Parameter.builder().name(name).value(values.get(name)).build())
                .toList())
        .build();
  }

  @Override
  public DeleteParameterResponse deleteParameter(DeleteParameterRequest request) {
    if (values.remove(request.name()) == null) {
      throw ParameterNotFoundException.builder().message("gone").build();
    }
    return DeleteParameterResponse.builder().build();
  }

  private static void next(List<Runnable> waiting) {
    if (!waiting.isEmpty()) {
      waiting.removeFirst().run();
    }
  }
}
