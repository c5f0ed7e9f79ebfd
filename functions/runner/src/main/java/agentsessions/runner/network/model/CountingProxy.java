package agentsessions.runner.network.model;

import agentsessions.runner.agent.Dialect;
import agentsessions.runner.usage.ModelCall;
import agentsessions.runner.usage.TurnUsage;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// A reverse proxy that counts the usage of model calls from the bytes that pass in both
/// directions. The agent gets the same bytes without delay, except the usage event of a chat stream
/// that it did not ask for.
abstract class CountingProxy extends ProxyHandler.Reverse {
  private static final String CALL = ModelCall.class.getName();

  private final TurnUsage usage;
  private final BufferedBodies bodies = new BufferedBodies();

  CountingProxy(TurnUsage usage) {
    super(org.eclipse.jetty.server.Request::getHttpURI);
    this.usage = usage;
  }

  /// Marks a request to be counted.
  ///
  /// @param path below the model's URL
  final void count(org.eclipse.jetty.server.Request agent, Dialect dialect, String path) {
    agent.setAttribute(CALL, usage.begin(dialect, path));
  }

  @Override
  protected void doStop() throws Exception {
    super.doStop();
    bodies.close();
  }

  @Override
  public boolean handle(
      org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    Optional<ModelCall> call = call(agent);
    Callback end = call.map(each -> ending(each, callback)).orElse(callback);
    boolean isHidden = call.filter(this::isHidden).isPresent();
    if (!isHidden && call.filter(ModelCall::mayLackUsage).isEmpty()) {
      return forwardNamed(agent, answer, end);
    }
    if (bodies.reserve(agent)) {
      bodies.ask(agent, answer, end, call.orElseThrow(), this::forwardNamed);
      return true;
    }
    return forwardNamed(agent, answer, end);
  }

  /// Whether the model's name is needed and can only be read from the body.
  private boolean isHidden(ModelCall call) {
    return usage.budget().isOfMoney() && call.model().isEmpty();
  }

  /// Refuses the call if its model has no price and the budget is in money.
  private boolean forwardNamed(
      org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    Optional<ModelCall> call = call(agent);
    Optional<String> refusal = call.flatMap(each -> usage.budget().refusalOf(each.model()));
    if (refusal.isPresent()) {
      ModelRefusals.write(call.map(ModelCall::dialect), refusal.get(), answer, callback);
      return true;
    }
    return forwardOrRefuse(agent, answer, callback);
  }

  /// A request that cannot be sent gets its response here, so that its call does not stay open in
  /// the count.
  private boolean forwardOrRefuse(
      org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    try {
      return forward(agent, answer, callback);
    } catch (IllegalArgumentException noAddress) {
      Response.writeError(
          agent, answer, callback, HttpStatus.BAD_REQUEST_400, "There is no such address.");
      return true;
    }
  }

  private Callback ending(ModelCall call, Callback callback) {
    return Callback.from(() -> usage.end(call), callback);
  }

  /// Forwards a request to the model.
  boolean forward(org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    return super.handle(agent, answer, callback);
  }

  /// Asks for an uncompressed response, since its usage is read on the way.
  @Override
  protected void copyRequestHeaders(org.eclipse.jetty.server.Request agent, Request onward) {
    super.copyRequestHeaders(agent, onward);
    if (call(agent).isPresent()) {
      onward.headers(all -> all.put(HttpHeader.ACCEPT_ENCODING, "identity"));
    }
  }

  @Override
  protected Request.Content newProxyToServerRequestContent(
      org.eclipse.jetty.server.Request agent, Response answer, Request onward) {
    Optional<ModelCall> call = call(agent);
    return call.isPresent()
        ? new Asked(agent, call.get())
        : super.newProxyToServerRequestContent(agent, answer, onward);
  }

  @Override
  protected void sendProxyToServerRequest(
      org.eclipse.jetty.server.Request agent, Request onward, Response answer, Callback callback) {
    call(agent).ifPresent(call -> onward.onRequestBegin(_ -> call.sent()));
    super.sendProxyToServerRequest(agent, onward, answer, callback);
  }

  @Override
  protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
      org.eclipse.jetty.server.Request agent, Request onward, Response answer, Callback callback) {
    Optional<ModelCall> call = call(agent);
    return call.isPresent()
        ? new Answered(agent, onward, answer, callback, call.get())
        : super.newServerToProxyResponseListener(agent, onward, answer, callback);
  }

  private static Optional<ModelCall> call(org.eclipse.jetty.server.Request agent) {
    return Optional.ofNullable((ModelCall) agent.getAttribute(CALL));
  }

  private static final class Asked extends ProxyRequestContent {
    private final ModelCall call;

    Asked(org.eclipse.jetty.server.Request agent, ModelCall call) {
      super(agent);
      this.call = call;
    }

    @Override
    public Content.@Nullable Chunk read() {
      Content.@Nullable Chunk chunk = super.read();
      if (chunk != null) {
        call.asks(chunk.getByteBuffer().slice());
      }
      return chunk;
    }
  }

  private final class Answered extends ProxyResponseListener {
    private final Response answer;
    private final ModelCall call;

    Answered(
        org.eclipse.jetty.server.Request agent,
        Request onward,
        Response answer,
        Callback callback,
        ModelCall call) {
      super(agent, onward, answer, callback);
      this.answer = answer;
      this.call = call;
    }

    @Override
    public void onHeaders(org.eclipse.jetty.client.Response answered) {
      super.onHeaders(answered);
      call.begun(answered.getStatus(), answered.getHeaders().get(HttpHeader.CONTENT_ENCODING));
      if (call.isShortened()) {
        answer.getHeaders().remove(HttpHeader.CONTENT_LENGTH);
      }
    }

    @Override
    public void onContent(
        org.eclipse.jetty.client.Response answered, Content.Chunk chunk, Runnable demander) {
      ByteBuffer seen = call.answers(chunk.getByteBuffer());
      if (!call.isShortened()) {
        super.onContent(answered, chunk, demander);
      } else if (seen.hasRemaining()) {
        super.onContent(answered, Content.Chunk.from(seen, false), demander);
      } else {
        demander.run();
      }
    }

    @Override
    public void onSuccess(org.eclipse.jetty.client.Response answered) {
      answer.write(true, call.ends(), this);
    }
  }
}
