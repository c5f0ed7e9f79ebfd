package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.session.Session;
import io.micronaut.serde.annotation.Serdeable;

/// The links of a session, from which a client reaches everything else of it.
@Serdeable
record SessionLinks(
    CommonJson.Href self,
    CommonJson.Href messages,
    CommonJson.Href thread,
    CommonJson.Href finalMessage,
    CommonJson.Href latestFinalMessage) {
  static SessionLinks of(Session session, Links links) {
    return new SessionLinks(
        new CommonJson.Href(links.session(session.id())),
        new CommonJson.Href(links.messages(session.id())),
        new CommonJson.Href(links.thread(session.id(), session.newest())),
        new CommonJson.Href(links.finalMessage(session.id(), session.turns().first())),
        new CommonJson.Href(links.finalMessage(session.id(), session.newest())));
  }
}
