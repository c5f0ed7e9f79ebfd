// What can go wrong. None of these ever shows a key or a signed link.

/** The base of all errors here. */
export class AgentSessionsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or did not answer in time. */
export class ConnectionFailed extends AgentSessionsError {}

/** A file could not be fetched, or is not what was recorded of it. */
export class DownloadFailed extends AgentSessionsError {}

/** The turn, or a pull request, has not ended yet. */
export class TurnLive extends AgentSessionsError {}

/** The turn ended without a reply. `code` is the turn's error, or its status where it has none. */
export class TurnFailed extends AgentSessionsError {
  constructor(
    readonly status: string,
    readonly code: string,
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/** The pull request could not be made: `code` is `PUSH_REFUSED` or `PULL_REQUEST_FAILED`, and more may come. */
export class PullRequestFailed extends AgentSessionsError {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The service refused a request: `status`, `code`, and in `details` what is wrong with which field. */
export class ApiError extends AgentSessionsError {
  readonly code: string;
  readonly requestId: string;
  readonly details: Array<{ field: string; message: string }>;

  constructor(
    readonly status: number,
    problem: Record<string, unknown>,
    readonly retryAfter?: number,
  ) {
    const code = String(problem.code ?? 'UNKNOWN');
    const requestId = String(problem.request_id ?? '');
    super(`${status} ${code}: ${problem.message ?? ''} (request ${requestId})`);
    this.code = code;
    this.requestId = requestId;
    this.details = Array.isArray(problem.details) ? problem.details : [];
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class Unauthorized extends ApiError {}

/** 403: the key lacks a scope. */
export class Forbidden extends ApiError {}

/** 404: there is no such thing in this workspace. */
export class NotFound extends ApiError {}

/** 409: `code` says with what. */
export class Conflict extends ApiError {}

/** 422: `details` names each field that is wrong. */
export class Invalid extends ApiError {}

/** 429: too much at once, even after waiting. */
export class RateLimited extends ApiError {}

/** 503: the service cannot answer now, even after waiting. */
export class Unavailable extends ApiError {}

export const BY_STATUS: Record<number, typeof ApiError> = {
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  422: Invalid,
  429: RateLimited,
  503: Unavailable,
};
