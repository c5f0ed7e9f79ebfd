// Made from infra/openapi.yaml by infra/clients/generate.py: change these.

export interface Agent {
  name: string;
  description: string;
  models: Array<string>;
  default_model: string | null;
  engine: 'machine' | 'container' | 'lambda' | 'fargate' | (string & {});
  network: AgentNetwork;
  requests: AgentRequests;
}

export interface AgentNetwork {
  mode: 'none' | 'model' | 'hosts' | 'open' | (string & {});
  hosts: Array<string>;
}

/** What a person can be asked to decide while it works */
export interface AgentRequests {
  tools: unknown;
  questions: boolean;
  plan: boolean;
}

/** A plan or file captured from the agent's sandbox */
export interface Artifact {
  id: string;
  thread_id: string;
  url: string;
  url_expires_at: string;
  file_name: string;
  file_path: string;
  file_size_in_kb: number;
  sha256: string;
  mime_type: string;
  kind: 'plan' | 'file' | (string & {});
  plan_id: string | null;
  created_at: string;
}

/** What a turn by itself (`turn`; of a message: this turn only, where it says something else) or all turns of a session together (`session`) may use at most. */
export interface Ceilings {
  max_cost_usd?: number | null;
  max_tokens?: number | null;
  max_model_requests?: number | null;
  max_seconds?: number | null;
}

export interface CreateSession {
  agent_name: string;
  message: string;
  title?: string | null;
  metadata?: Record<string, string> | null;
  repositories?: Array<NewRepository> | null;
  files?: Array<NewFile> | null;
  environment?: NewEnvironment | null;
  model?: string | null;
  webhook?: NewSessionWebhook | null;
  limits?: CreateSessionLimits | null;
  permissions?: NewPermissions | null;
  is_private?: boolean | null;
}

/** What its turns may use; can be changed */
export interface CreateSessionLimits {
  turn?: Ceilings | null;
  session?: Ceilings | null;
}

/** What was decided; `null` unless the request is `decided` */
export interface Decision {
  decision: 'allow' | 'allow_session' | 'deny' | (string & {});
  note: string | null;
  answers?: Record<string, Array<string>> | null;
  key_id: string | null;
  at: string;
}

export interface EventSnapshot {
  session: Session;
  thread: SessionThread;
  cursor: string;
}

/** Calls that are allowed for the rest of a session */
export interface Grant {
  id: string;
  title: string;
  tool: GrantTool;
  created_at: string;
  key_id: string;
}

export interface GrantTool {
  name: string;
  kind: 'read' | 'edit' | 'edit_outside' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other' | 'host' | 'push' | (string & {});
}

export interface Link {
  href: string;
}

/** Each thread has one `user` message and at most one `final_message`, whose text is not repeated as a `message`. */
export interface Message {
  id: string;
  session_id: string;
  thread_id: string;
  role: 'user' | 'assistant' | (string & {});
  type: 'message' | 'final_message' | 'tool_call' | (string & {});
  message: string;
  outcome?: 'completed' | 'failed' | 'timed_out' | (string & {});
  files?: Array<MessageFile>;
  ts: number;
  created_at: string;
  chat_id: string;
  chat_thread_id: string;
  updated_at: string;
}

export interface MessageFields {
  if_thread_id?: string | null;
  on_running?: string | null;
  files?: Array<NewFile> | null;
  model?: string | null;
  limits?: MessageFieldsLimits | null;
  repositories?: Array<MessageFieldsRepositoriesItem> | null;
}

export interface MessageFieldsLimits {
  turn?: Ceilings | null;
}

export interface MessageFieldsRepositoriesItem {
  path: string;
  credential: NewCredential;
}

/** A file that a message brought; its content is not kept with the message */
export interface MessageFile {
  path: string;
  size: number;
}

/** How the host knows us. */
export interface NewCredential {
  username?: string | null;
  secret?: string | null;
  token?: string | null;
}

export interface NewDecision {
  decision: 'allow' | 'allow_session' | 'deny' | (string & {});
  note?: string | null;
  answers?: Record<string, Array<string>> | null;
  fingerprint?: string | null;
}

export interface NewEnvironment {
  variables?: Record<string, string> | null;
  secrets?: Array<string> | null;
  setup?: string | null;
}

/** With one of `content`, `content_base64`, `upload_id` and `artifact_id`. */
export interface NewFile {
  path: string;
  content?: string | null;
  content_base64?: string | null;
  artifact_id?: string | null;
  upload_id?: string | null;
}

/** What it does not name fits anything; but a rule for hosts is one of kind `host`, or one that names nothing, and one for pushes is of kind `push` */
export interface NewPermissionRule {
  kind?: 'read' | 'edit' | 'edit_outside' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other' | 'host' | 'push' | (string & {}) | null;
  tool?: string | null;
  match?: string | null;
  policy: 'allow' | 'ask' | 'deny' | (string & {});
}

/** What the agent's calls of its tools, and its connections to hosts, are judged by before they are made: the first rule that fits, else `default`. */
export interface NewPermissions {
  default?: 'allow' | 'ask' | 'deny' | (string & {}) | null;
  rules?: Array<NewPermissionRule> | null;
  plan?: string | null;
  questions?: 'refuse' | 'ask' | (string & {}) | null;
  four_eyes?: boolean | null;
  hold_seconds?: number | null;
  expires_in_days?: number | null;
}

export interface NewRepository {
  url: string;
  ref?: string | null;
  path?: string | null;
  depth?: number | null;
  submodules?: boolean | null;
  credential?: NewCredential | null;
  push?: NewRepositoryPush | null;
}

/** After each completed turn but one that only plans, changes are pushed to one branch, never by force over commits of others */
export interface NewRepositoryPush {
  branch?: string | null;
  adopt?: boolean | null;
  base?: string | null;
  provider?: string | null;
  pull_request?: NewRepositoryPushPullRequest | null;
}

export interface NewRepositoryPushPullRequest {
  title?: string | null;
  body?: string | null;
  draft?: boolean | null;
}

/** Where the events of this session alone are sent as well, until it is deleted. */
export interface NewSessionWebhook {
  url: string;
  secret: string;
}

export interface PermissionRule {
  kind: string | null;
  tool: string | null;
  match: string | null;
  policy: 'allow' | 'ask' | 'deny' | (string & {});
}

export interface Permissions {
  default: 'allow' | 'ask' | 'deny' | (string & {});
  rules: Array<PermissionRule>;
  plan: string;
  questions: 'refuse' | 'ask' | (string & {});
  four_eyes: boolean;
  hold_seconds: number;
  expires_in_days: number;
}

export interface Problem {
  code: 'BAD_REQUEST' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'THREAD_CHANGED' | 'THREAD_STARTED' | 'THREAD_ENDED' | 'QUEUE_FULL' | 'BUDGET_REACHED' | 'IDEMPOTENCY_KEY_REUSED' | 'ALREADY_DECIDED' | 'REQUEST_CHANGED' | 'REQUEST_CLOSED' | 'NO_CREDENTIAL' | 'NOTHING_TO_PUSH' | 'SESSION_BUSY' | 'LAST_ADMIN_KEY' | 'TOO_MANY_KEYS' | 'TOO_MANY_SECRETS' | 'TOO_MANY_UPLOADS' | 'TOO_MANY_WEBHOOKS' | 'TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'VALIDATION' | 'RATE_LIMITED' | 'TOO_MANY_TURNS' | 'STREAM_LIMIT' | 'INTERNAL' | 'UNAVAILABLE' | (string & {});
  message: string;
  request_id: string;
  details?: Array<ProblemDetailsItem>;
}

export interface ProblemDetailsItem {
  field: string;
  message: string;
}

export interface PullRequestFields {
  title?: string | null;
  body?: string | null;
  draft?: boolean | null;
  base?: string | null;
  branch?: string | null;
  provider?: string | null;
}

/** A question of the agent */
export interface Question {
  id: string;
  text: string;
  options: Array<QuestionOption>;
  multiple: boolean;
  free_text: boolean;
}

export interface QuestionOption {
  value: string;
  label: string;
  description: string;
}

/** A repository of a session, and how far it has come */
export interface Repository {
  url: string;
  ref: string | null;
  path: string;
  base_commit: string | null;
  head_commit: string | null;
  branch: string | null;
  files_changed: number;
  additions: number;
  deletions: number;
  patch_artifact_id: string | null;
  pushed?: RepositoryPushed | null;
  pull_request_url?: string | null;
  error?: RepositoryError | null;
}

/** Why something that was asked for could not be done in the last turn, such as `PUSH_REFUSED`, `PULL_REQUEST_FAILED`, `PATCH_TOO_LARGE`, `REPOSITORY_UNAVAILABLE`, `BRANCH_EXISTS` or `DEFAULT_BRANCH` */
export interface RepositoryError {
  code: string;
  message: string;
}

/** What was pushed last */
export interface RepositoryPushed {
  branch: string;
  commit: string;
  at: string;
}

/** The call or push that waits; `null` for a plan */
export interface RequestTool {
  name: string;
  kind: 'read' | 'edit' | 'edit_outside' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other' | 'host' | 'push' | (string & {});
  input: unknown;
}

export interface SendMessage {
  message: string;
  if_thread_id?: string | null;
  on_running?: string | null;
  files?: Array<NewFile> | null;
  model?: string | null;
  limits?: SendMessageLimits | null;
  repositories?: Array<SendMessageRepositoriesItem> | null;
}

export interface SendMessageLimits {
  turn?: Ceilings | null;
}

export interface SendMessageRepositoriesItem {
  path: string;
  credential: NewCredential;
}

/** The user message that was accepted, with the links of the thread it started */
export interface SentMessage {
  id: string;
  session_id: string;
  thread_id: string;
  role: 'user' | (string & {});
  type: 'message' | (string & {});
  message: string;
  files: Array<MessageFile>;
  ts: number;
  created_at: string;
  chat_id: string;
  chat_thread_id: string;
  updated_at: string;
  warnings: Array<string>;
  _links: SentMessageLinks;
}

export interface SentMessageLinks {
  self: Link;
  thread: Link;
  final_message: Link;
}

export interface Session {
  id: string;
  agent_name: string;
  title: string | null;
  status: 'working' | 'requires_action' | 'idle' | (string & {});
  is_archived: boolean;
  metadata: Record<string, string>;
  plan_artifact_ids: Array<string>;
  thread_id: string;
  running_thread_id: string | null;
  pending_requests: number;
  job: string | null;
  created_at: string;
  updated_at: string;
  model: string | null;
  repositories: Array<Repository>;
  environment: SessionEnvironment;
  usage: Usage;
  limits: SessionLimits;
  permissions: Permissions | null;
  source_url: string | null;
  session_group_id: string | null;
  is_private: boolean;
  pull_requests: Array<string>;
  session_html_url: string;
  warnings?: Array<string>;
  _links: SessionLinks;
}

export interface SessionChange {
  title?: string | null;
  metadata?: Record<string, string> | null;
  is_private?: boolean | null;
  is_archived?: boolean | null;
  limits?: SessionChangeLimits | null;
  permissions?: NewPermissions | null;
}

/** From the next turn that begins to run on; of the two, one that is absent stays, and `null` clears it */
export interface SessionChangeLimits {
  turn?: Ceilings | null;
  session?: Ceilings | null;
}

/** What the agent's environment was given, by name; values are never shown */
export interface SessionEnvironment {
  variables: Array<string>;
  secrets: Array<string>;
  setup: boolean;
}

export interface SessionFields {
  title?: string | null;
  metadata?: Record<string, string> | null;
  repositories?: Array<NewRepository> | null;
  files?: Array<NewFile> | null;
  environment?: NewEnvironment | null;
  model?: string | null;
  webhook?: NewSessionWebhook | null;
  limits?: SessionFieldsLimits | null;
  permissions?: NewPermissions | null;
  is_private?: boolean | null;
}

/** What its turns may use; can be changed */
export interface SessionFieldsLimits {
  turn?: Ceilings | null;
  session?: Ceilings | null;
}

/** What its turns may use, each by itself and all together; `null` is any amount */
export interface SessionLimits {
  turn: Ceilings;
  session: Ceilings;
}

export interface SessionLinks {
  self: Link;
  messages: Link;
  thread: Link;
  final_message: SessionLinksFinalMessage;
  latest_final_message: SessionLinksLatestFinalMessage;
}

/** Polls for the reply to the first message, always */
export interface SessionLinksFinalMessage {
  href: string;
}

/** Polls for the reply of the current thread */
export interface SessionLinksLatestFinalMessage {
  href: string;
}

/** What an agent waits for a person to decide */
export interface SessionRequest {
  id: string;
  session_id: string;
  thread_id: string;
  kind: 'permission' | 'question' | 'plan' | 'push' | (string & {});
  status: 'pending' | 'decided' | 'expired' | 'closed' | (string & {});
  enforced: boolean;
  title: string;
  tool?: RequestTool | null;
  questions?: Array<Question> | null;
  plan_artifact_id: string | null;
  fingerprint: string;
  created_at: string;
  expires_at: string;
  decision?: Decision | null;
  _links: SessionRequestLinks;
}

export interface SessionRequestLinks {
  self: Link;
  session: Link;
  thread: Link;
  decision: SessionRequestLinksDecision;
}

/** Where a decision is sent */
export interface SessionRequestLinksDecision {
  href: string;
}

/** A session as a row of a list, without `plan_artifact_ids`, and with less of its repositories */
export interface SessionSummary {
  id: string;
  agent_name: string;
  title: string | null;
  status: 'working' | 'requires_action' | 'idle' | (string & {});
  is_archived: boolean;
  metadata: Record<string, string>;
  thread_id: string;
  running_thread_id: string | null;
  pending_requests: number;
  created_at: string;
  updated_at: string;
  model: string | null;
  repositories: Array<SessionSummaryRepositoriesItem>;
  outcome: string | null;
  preview: string | null;
  source_url: string | null;
  session_group_id: string | null;
  is_private: boolean;
  pull_requests: Array<string>;
  session_html_url: string;
  _links: SessionLinks;
}

export interface SessionSummaryRepositoriesItem {
  url: string;
  ref: string | null;
}

/** One user message and what became of it */
export interface SessionThread {
  id: string;
  session_id: string;
  status: 'queued' | 'running' | 'requires_action' | 'completed' | 'failed' | 'interrupted' | 'cancelled' | 'timed_out' | (string & {});
  position: number | null;
  pending_requests: number;
  error?: TurnError | null;
  superseded_by: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  sandbox: string | null;
  model: string | null;
  repositories: Array<Repository>;
  usage: Usage;
  _links: SessionThreadLinks;
}

export interface SessionThreadLinks {
  self: Link;
  messages: Link;
  final_message: Link;
}

/** Why a thread is `failed` or `timed_out`; `null` for every other status */
export interface TurnError {
  code: 'AGENT_FAILED' | 'EMPTY_REPLY' | 'TIME_LIMIT' | 'LIMIT_EXCEEDED' | 'BUDGET_REACHED' | 'UNAPPROVED_CALL' | 'REQUEST_EXPIRED' | 'PLAN_MISSING' | 'SANDBOX_FAILED' | 'AGENT_NOT_AVAILABLE' | 'REPOSITORY_UNAVAILABLE' | 'FILE_UNAVAILABLE' | 'SETUP_FAILED' | 'SECRET_UNAVAILABLE' | 'RUNNER_LOST' | 'NOT_STARTED' | (string & {});
  message: string;
  retryable: boolean;
}

/** What a turn, or all turns of a session, have used of their models: counted on the way to the model, from the model's own answers, so that what an agent asks without saying so is in it. */
export interface Usage {
  model_requests: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  active_seconds: number;
  cost_usd: number | null;
  known_cost_usd: number;
  complete: boolean;
}
