"""Made from infra/openapi.yaml by infra/clients/generate.py: change these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Agent(TypedDict):
    name: str
    description: str
    models: list[str]
    default_model: str | None
    engine: Literal["machine", "container", "lambda", "fargate"] | str
    network: AgentNetwork
    requests: AgentRequests


class AgentNetwork(TypedDict):
    mode: Literal["none", "model", "hosts", "open"] | str
    hosts: list[str]


class AgentRequests(TypedDict):
    tools: Any
    questions: bool
    plan: bool


class Artifact(TypedDict):
    id: str
    thread_id: str
    url: str
    url_expires_at: str
    file_name: str
    file_path: str
    file_size_in_kb: float
    sha256: str
    mime_type: str
    kind: Literal["plan", "file"] | str
    plan_id: str | None
    created_at: str


class Ceilings(TypedDict):
    max_cost_usd: NotRequired[float | None]
    max_tokens: NotRequired[int | None]
    max_model_requests: NotRequired[int | None]
    max_seconds: NotRequired[int | None]


class CreateSession(TypedDict):
    agent_name: str
    message: str
    title: NotRequired[str | None]
    metadata: NotRequired[dict[str, str] | None]
    repositories: NotRequired[list[NewRepository] | None]
    files: NotRequired[list[NewFile] | None]
    environment: NotRequired[NewEnvironment | None]
    model: NotRequired[str | None]
    webhook: NotRequired[NewSessionWebhook | None]
    limits: NotRequired[CreateSessionLimits | None]
    permissions: NotRequired[NewPermissions | None]
    is_private: NotRequired[bool | None]


class CreateSessionLimits(TypedDict):
    turn: NotRequired[Ceilings | None]
    session: NotRequired[Ceilings | None]


class Decision(TypedDict):
    decision: Literal["allow", "allow_session", "deny"] | str
    note: str | None
    answers: NotRequired[dict[str, list[str]] | None]
    key_id: str | None
    at: str


class EventSnapshot(TypedDict):
    session: Session
    thread: SessionThread
    cursor: str


class Grant(TypedDict):
    id: str
    title: str
    tool: GrantTool
    created_at: str
    key_id: str


class GrantTool(TypedDict):
    name: str
    kind: Literal["read", "edit", "edit_outside", "delete", "move", "search", "execute", "fetch", "other", "host", "push"] | str


class Link(TypedDict):
    href: str


class Message(TypedDict):
    id: str
    session_id: str
    thread_id: str
    role: Literal["user", "assistant"] | str
    type: Literal["message", "final_message", "tool_call"] | str
    message: str
    outcome: NotRequired[Literal["completed", "failed", "timed_out"] | str]
    files: NotRequired[list[MessageFile]]
    ts: float
    created_at: str
    chat_id: str
    chat_thread_id: str
    updated_at: str


class MessageFields(TypedDict):
    if_thread_id: NotRequired[str | None]
    on_running: NotRequired[str | None]
    files: NotRequired[list[NewFile] | None]
    model: NotRequired[str | None]
    limits: NotRequired[MessageFieldsLimits | None]
    repositories: NotRequired[list[MessageFieldsRepositoriesItem] | None]


class MessageFieldsLimits(TypedDict):
    turn: NotRequired[Ceilings | None]


class MessageFieldsRepositoriesItem(TypedDict):
    path: str
    credential: NewCredential


class MessageFile(TypedDict):
    path: str
    size: int


class NewCredential(TypedDict):
    username: NotRequired[str | None]
    secret: NotRequired[str | None]
    token: NotRequired[str | None]


class NewDecision(TypedDict):
    decision: Literal["allow", "allow_session", "deny"] | str
    note: NotRequired[str | None]
    answers: NotRequired[dict[str, list[str]] | None]
    fingerprint: NotRequired[str | None]


class NewEnvironment(TypedDict):
    variables: NotRequired[dict[str, str] | None]
    secrets: NotRequired[list[str] | None]
    setup: NotRequired[str | None]


class NewFile(TypedDict):
    path: str
    content: NotRequired[str | None]
    content_base64: NotRequired[str | None]
    artifact_id: NotRequired[str | None]
    upload_id: NotRequired[str | None]


class NewPermissionRule(TypedDict):
    kind: NotRequired[Literal["read", "edit", "edit_outside", "delete", "move", "search", "execute", "fetch", "other", "host", "push"] | str | None]
    tool: NotRequired[str | None]
    match: NotRequired[str | None]
    policy: Literal["allow", "ask", "deny"] | str


class NewPermissions(TypedDict):
    default: NotRequired[Literal["allow", "ask", "deny"] | str | None]
    rules: NotRequired[list[NewPermissionRule] | None]
    plan: NotRequired[str | None]
    questions: NotRequired[Literal["refuse", "ask"] | str | None]
    four_eyes: NotRequired[bool | None]
    hold_seconds: NotRequired[int | None]
    expires_in_days: NotRequired[int | None]


class NewRepository(TypedDict):
    url: str
    ref: NotRequired[str | None]
    path: NotRequired[str | None]
    depth: NotRequired[int | None]
    submodules: NotRequired[bool | None]
    credential: NotRequired[NewCredential | None]
    push: NotRequired[NewRepositoryPush | None]


class NewRepositoryPush(TypedDict):
    branch: NotRequired[str | None]
    adopt: NotRequired[bool | None]
    base: NotRequired[str | None]
    provider: NotRequired[str | None]
    pull_request: NotRequired[NewRepositoryPushPullRequest | None]


class NewRepositoryPushPullRequest(TypedDict):
    title: NotRequired[str | None]
    body: NotRequired[str | None]
    draft: NotRequired[bool | None]


class NewSessionWebhook(TypedDict):
    url: str
    secret: str


class PermissionRule(TypedDict):
    kind: str | None
    tool: str | None
    match: str | None
    policy: Literal["allow", "ask", "deny"] | str


class Permissions(TypedDict):
    default: Literal["allow", "ask", "deny"] | str
    rules: list[PermissionRule]
    plan: str
    questions: Literal["refuse", "ask"] | str
    four_eyes: bool
    hold_seconds: int
    expires_in_days: int


class Problem(TypedDict):
    code: Literal["BAD_REQUEST", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "THREAD_CHANGED", "THREAD_STARTED", "THREAD_ENDED", "QUEUE_FULL", "BUDGET_REACHED", "IDEMPOTENCY_KEY_REUSED", "ALREADY_DECIDED", "REQUEST_CHANGED", "REQUEST_CLOSED", "NO_CREDENTIAL", "NOTHING_TO_PUSH", "SESSION_BUSY", "LAST_ADMIN_KEY", "TOO_MANY_KEYS", "TOO_MANY_SECRETS", "TOO_MANY_UPLOADS", "TOO_MANY_WEBHOOKS", "TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION", "RATE_LIMITED", "TOO_MANY_TURNS", "STREAM_LIMIT", "INTERNAL", "UNAVAILABLE"] | str
    message: str
    request_id: str
    details: NotRequired[list[ProblemDetailsItem]]


class ProblemDetailsItem(TypedDict):
    field: str
    message: str


class PullRequestFields(TypedDict):
    title: NotRequired[str | None]
    body: NotRequired[str | None]
    draft: NotRequired[bool | None]
    base: NotRequired[str | None]
    branch: NotRequired[str | None]
    provider: NotRequired[str | None]


class Question(TypedDict):
    id: str
    text: str
    options: list[QuestionOption]
    multiple: bool
    free_text: bool


class QuestionOption(TypedDict):
    value: str
    label: str
    description: str


class Repository(TypedDict):
    url: str
    ref: str | None
    path: str
    base_commit: str | None
    head_commit: str | None
    branch: str | None
    files_changed: int
    additions: int
    deletions: int
    patch_artifact_id: str | None
    pushed: NotRequired[RepositoryPushed | None]
    pull_request_url: NotRequired[str | None]
    error: NotRequired[RepositoryError | None]


class RepositoryError(TypedDict):
    code: str
    message: str


class RepositoryPushed(TypedDict):
    branch: str
    commit: str
    at: str


class RequestTool(TypedDict):
    name: str
    kind: Literal["read", "edit", "edit_outside", "delete", "move", "search", "execute", "fetch", "other", "host", "push"] | str
    input: Any


class SendMessage(TypedDict):
    message: str
    if_thread_id: NotRequired[str | None]
    on_running: NotRequired[str | None]
    files: NotRequired[list[NewFile] | None]
    model: NotRequired[str | None]
    limits: NotRequired[SendMessageLimits | None]
    repositories: NotRequired[list[SendMessageRepositoriesItem] | None]


class SendMessageLimits(TypedDict):
    turn: NotRequired[Ceilings | None]


class SendMessageRepositoriesItem(TypedDict):
    path: str
    credential: NewCredential


class SentMessage(TypedDict):
    id: str
    session_id: str
    thread_id: str
    role: Literal["user"] | str
    type: Literal["message"] | str
    message: str
    files: list[MessageFile]
    ts: float
    created_at: str
    chat_id: str
    chat_thread_id: str
    updated_at: str
    warnings: list[str]
    _links: SentMessageLinks


class SentMessageLinks(TypedDict):
    self: Link
    thread: Link
    final_message: Link


class Session(TypedDict):
    id: str
    agent_name: str
    title: str | None
    status: Literal["working", "requires_action", "idle"] | str
    is_archived: bool
    metadata: dict[str, str]
    plan_artifact_ids: list[str]
    thread_id: str
    running_thread_id: str | None
    pending_requests: int
    job: str | None
    created_at: str
    updated_at: str
    model: str | None
    repositories: list[Repository]
    environment: SessionEnvironment
    usage: Usage
    limits: SessionLimits
    permissions: Permissions | None
    source_url: str | None
    session_group_id: str | None
    is_private: bool
    pull_requests: list[str]
    session_html_url: str
    warnings: NotRequired[list[str]]
    _links: SessionLinks


class SessionChange(TypedDict):
    title: NotRequired[str | None]
    metadata: NotRequired[dict[str, str] | None]
    is_private: NotRequired[bool | None]
    is_archived: NotRequired[bool | None]
    limits: NotRequired[SessionChangeLimits | None]
    permissions: NotRequired[NewPermissions | None]


class SessionChangeLimits(TypedDict):
    turn: NotRequired[Ceilings | None]
    session: NotRequired[Ceilings | None]


class SessionEnvironment(TypedDict):
    variables: list[str]
    secrets: list[str]
    setup: bool


class SessionFields(TypedDict):
    title: NotRequired[str | None]
    metadata: NotRequired[dict[str, str] | None]
    repositories: NotRequired[list[NewRepository] | None]
    files: NotRequired[list[NewFile] | None]
    environment: NotRequired[NewEnvironment | None]
    model: NotRequired[str | None]
    webhook: NotRequired[NewSessionWebhook | None]
    limits: NotRequired[SessionFieldsLimits | None]
    permissions: NotRequired[NewPermissions | None]
    is_private: NotRequired[bool | None]


class SessionFieldsLimits(TypedDict):
    turn: NotRequired[Ceilings | None]
    session: NotRequired[Ceilings | None]


class SessionLimits(TypedDict):
    turn: Ceilings
    session: Ceilings


class SessionLinks(TypedDict):
    self: Link
    messages: Link
    thread: Link
    final_message: SessionLinksFinalMessage
    latest_final_message: SessionLinksLatestFinalMessage


class SessionLinksFinalMessage(TypedDict):
    href: str


class SessionLinksLatestFinalMessage(TypedDict):
    href: str


class SessionRequest(TypedDict):
    id: str
    session_id: str
    thread_id: str
    kind: Literal["permission", "question", "plan", "push"] | str
    status: Literal["pending", "decided", "expired", "closed"] | str
    enforced: bool
    title: str
    tool: NotRequired[RequestTool | None]
    questions: NotRequired[list[Question] | None]
    plan_artifact_id: str | None
    fingerprint: str
    created_at: str
    expires_at: str
    decision: NotRequired[Decision | None]
    _links: SessionRequestLinks


class SessionRequestLinks(TypedDict):
    self: Link
    session: Link
    thread: Link
    decision: SessionRequestLinksDecision


class SessionRequestLinksDecision(TypedDict):
    href: str


class SessionSummary(TypedDict):
    id: str
    agent_name: str
    title: str | None
    status: Literal["working", "requires_action", "idle"] | str
    is_archived: bool
    metadata: dict[str, str]
    thread_id: str
    running_thread_id: str | None
    pending_requests: int
    created_at: str
    updated_at: str
    model: str | None
    repositories: list[SessionSummaryRepositoriesItem]
    outcome: str | None
    preview: str | None
    source_url: str | None
    session_group_id: str | None
    is_private: bool
    pull_requests: list[str]
    session_html_url: str
    _links: SessionLinks


class SessionSummaryRepositoriesItem(TypedDict):
    url: str
    ref: str | None


class SessionThread(TypedDict):
    id: str
    session_id: str
    status: Literal["queued", "running", "requires_action", "completed", "failed", "interrupted", "cancelled", "timed_out"] | str
    position: int | None
    pending_requests: int
    error: NotRequired[TurnError | None]
    superseded_by: str | None
    created_at: str
    started_at: str | None
    ended_at: str | None
    sandbox: str | None
    model: str | None
    repositories: list[Repository]
    usage: Usage
    _links: SessionThreadLinks


class SessionThreadLinks(TypedDict):
    self: Link
    messages: Link
    final_message: Link


class TurnError(TypedDict):
    code: Literal["AGENT_FAILED", "EMPTY_REPLY", "TIME_LIMIT", "LIMIT_EXCEEDED", "BUDGET_REACHED", "UNAPPROVED_CALL", "REQUEST_EXPIRED", "PLAN_MISSING", "SANDBOX_FAILED", "AGENT_NOT_AVAILABLE", "REPOSITORY_UNAVAILABLE", "FILE_UNAVAILABLE", "SETUP_FAILED", "SECRET_UNAVAILABLE", "RUNNER_LOST", "NOT_STARTED"] | str
    message: str
    retryable: bool


class Usage(TypedDict):
    model_requests: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    active_seconds: float
    cost_usd: float | None
    known_cost_usd: float
    complete: bool
