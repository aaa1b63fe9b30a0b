// Every error code of the contract: its status, what a caller may do, what `additional_data` always holds.
// Made from spec/ by `npm run generate`. Do not edit.

export type Retry = 'always' | 'idempotent_only' | 'never';

export interface ErrorCode {
  readonly status: number;
  /** what a client may do by itself: repeat, repeat only what is safe to repeat, nothing */
  readonly retry: Retry;
  /** name of the schema of the body */
  readonly schema: string;
  /** keys that `additional_data` always has; null where it may be missing altogether */
  readonly additionalData: readonly string[] | null;
  readonly description: string;
}

/** Errors of the API, by `code`. */
export const errorCodes = {
  invalid_beta: { status: 400, retry: 'never', schema: 'InvalidBetaError', additionalData: ['beta_error', 'flag', 'supported_flags'], description: 'A flag of `Service-Beta` cannot be used. Flags are judged from left to right and the first fault ends the request; `additional_data` names the fault and, where the name is known, the flag to send instead, as the message does.' },
  invalid_credit_limit: { status: 400, retry: 'never', schema: 'InvalidCreditLimitError', additionalData: null, description: 'An agent\'s credit limit is negative, not a whole number, above 1,000,000,000 or above the limit of the workspace. The message points at `body.credit_limit`.' },
  invalid_json: { status: 400, retry: 'never', schema: 'InvalidJsonError', additionalData: null, description: 'The body is not JSON in UTF-8, holds nothing although it was announced as JSON with a length, or came to a JSON route with another content type. Send one JSON object with `Content-Type: application/json`; leave the body and the content type out to send nothing.' },
  invalid_request: { status: 400, retry: 'never', schema: 'InvalidRequestError', additionalData: null, description: 'Understood but not supported here: plain HTTP (where no proxy in front takes HTTPS), an `Accept` header that excludes every content type of the answer, request headers over 16 KiB in all, a feature that is switched off in this deployment, or a stream where there is none. Also a request that is not valid HTTP, or is ambiguous; and a body that comes too slowly. Then the connection is closed.' },
  invalid_request_url: { status: 400, retry: 'never', schema: 'InvalidRequestUrlError', additionalData: null, description: 'No such path; a path that does not serve this method (the answer then carries `Allow`) or does not exist in this version; `..`, `//`, an encoded slash or broken percent-encoding in the path; or a URL over 8 KiB. Reported before credentials are looked at, except for paths of other versions.' },
  missing_version: { status: 400, retry: 'never', schema: 'MissingVersionError', additionalData: null, description: 'The `Service-Version` header is missing, blank, malformed, not one of the release dates, or was sent twice with different values. The message shows what was sent and lists the dates. A missing version is only reported to callers whose credentials are good.' },
  validation_error: { status: 400, retry: 'never', schema: 'ValidationError', additionalData: null, description: 'A value in path, query, header or body breaks its schema or a size limit; a cursor is invalid here; a reference names something of the wrong kind; or the present state of the target forbids the edit (it is in the trash or locked). The message names the place and what was expected there. Correct the request, then send it again.' },
  unauthorized: { status: 401, retry: 'never', schema: 'UnauthorizedError', additionalData: null, description: 'No usable credentials: no `Authorization` header, another scheme, or a token that is unknown, regenerated, revoked or expired, that is no bearer token, or whose workspace or connection is disabled. The text is always the same. Get a new token; the one sent will not start to work by waiting, save a personal access token whose owner may hold tokens again.' },
  agent_credit_limit_reached: { status: 403, retry: 'never', schema: 'AgentCreditLimitReachedError', additionalData: ['tool_error_class', 'tool_error_retryable', 'tool_error_code', 'recovery_kind'], description: 'The agent was not run: its own credit limit is used up. `additional_data` says how to recover.' },
  restricted_resource: { status: 403, retry: 'never', schema: 'RestrictedResourceError', additionalData: null, description: 'The token may not do this: the connection lacks the capability, tokens of this kind may not call the operation, or the member may only read. A missing capability is found before anything is looked up, so it says nothing about the target. Somebody else\'s comment is not found instead (404).' },
  status_change_not_allowed: { status: 403, retry: 'never', schema: 'StatusChangeNotAllowedError', additionalData: null, description: 'The agent was disabled by other means than this interface, so it cannot switch it on or off. The message names the agent\'s `pause_reason`.' },
  workspace_credits_exhausted: { status: 403, retry: 'never', schema: 'WorkspaceCreditsExhaustedError', additionalData: ['tool_error_class', 'tool_error_retryable', 'tool_error_code', 'recovery_kind'], description: 'The agent was not run: the workspace has no credits left. `additional_data` says how to recover. When the agent\'s own limit is used up as well, this code is the one that is sent.' },
  directory_not_found: { status: 404, retry: 'never', schema: 'DirectoryNotFoundError', additionalData: null, description: 'A directory that the request names does not exist, for example the working directory in which work is to start. Reserved: no operation names a directory yet.' },
  object_not_found: { status: 404, retry: 'never', schema: 'ObjectNotFoundError', additionalData: null, description: 'The target, or something that the body refers to, does not exist, was deleted for good or is not shared with the connection; the answer never says which. Also a block in the trash on update, and the id of something else where a database, a data source or a view is meant. Check the id, then share the item with the connection.' },
  row_limit_exceeded: { status: 406, retry: 'never', schema: 'RowLimitExceededError', additionalData: null, description: 'The write would put more rows into a data source than the workspace allows. Nothing was written; delete rows or raise the limit first. The same status stands in the error of a failed task.' },
  agent_deleted: { status: 409, retry: 'never', schema: 'AgentDeletedError', additionalData: null, description: 'The agent was deleted: it can neither be changed nor run.' },
  conflict_error: { status: 409, retry: 'never', schema: 'ConflictError', additionalData: null, description: 'The edit collides with one made at the same time, `expected_version` is stale, the first request with the same idempotency key is still running (the answer then carries `Retry-After`), or the storage refused a part of a file. Read the present state, then decide; after `Retry-After` just repeat.' },
  idempotency_key_reused: { status: 409, retry: 'never', schema: 'IdempotencyKeyReusedError', additionalData: null, description: 'The idempotency key belongs to another request of the same caller: method, path, query, version, beta flags or body differ. The message names the method and path of the first use. Use a new key for each new request.' },
  rate_limited: { status: 429, retry: 'always', schema: 'RateLimitedError', additionalData: ['rate_limit_reason'], description: 'A request budget is used up. `Retry-After` says how many seconds to wait. The request was not carried out and not counted.' },
  internal_server_error: { status: 500, retry: 'idempotent_only', schema: 'InternalFaultError', additionalData: null, description: 'Something broke inside the service; the fault itself is logged under the request id and not shown. Nothing was committed. GET and DELETE, and any write with an `Idempotency-Key`, may be repeated.' },
  service_unavailable: { status: 503, retry: 'idempotent_only', schema: 'ServiceUnavailableError', additionalData: null, description: 'The service starts, is under maintenance, has lost its storage, or could not finish within the 60 seconds that a request may take. Nothing was committed. GET and DELETE, and any write with an `Idempotency-Key`, may be repeated.' },
  gateway_timeout: { status: 504, retry: 'never', schema: 'GatewayTimeoutError', additionalData: null, description: 'Another host did not answer the service in time: an external agent, or the source of a file import. The outcome there is unknown; look before repeating.' },
  service_overload: { status: 529, retry: 'always', schema: 'ServiceOverloadError', additionalData: null, description: 'The service turned the request away unread because it has too much to do. `Retry-After` says how many seconds to wait, 5 unless set otherwise. This has nothing to do with the caller\'s budgets.' },
} as const satisfies Record<string, ErrorCode>;

export type ErrorCodeName = keyof typeof errorCodes;

/** Errors of the OAuth endpoints, by `error`; some come with several statuses. */
export const oauthErrorCodes = {
  invalid_grant: { statuses: [400], retry: 'never', schema: 'OAuthInvalidGrantError', additionalData: null, description: 'The code or token is unknown, expired, used, revoked or was issued to another client, or `redirect_uri` differs from the one of the authorization request. Authorize again.' },
  invalid_request: { statuses: [400], retry: 'never', schema: 'OAuthInvalidRequestError', additionalData: null, description: 'The body cannot be read, has another content type than JSON or a form, or lacks a field or gives it the wrong type; or `redirect_uri` is missing though required, or sent though not allowed.' },
  invalid_scope: { statuses: [400], retry: 'never', schema: 'OAuthInvalidScopeError', additionalData: null, description: 'Reserved: capabilities belong to the connection and are not asked for, so this is not sent.' },
  unauthorized_client: { statuses: [400], retry: 'never', schema: 'OAuthUnauthorizedClientError', additionalData: null, description: 'The connection is internal or disabled, or may not use this grant.' },
  unsupported_grant_type: { statuses: [400], retry: 'never', schema: 'OAuthUnsupportedGrantTypeError', additionalData: null, description: '`grant_type` is neither `authorization_code` nor `refresh_token`.' },
  invalid_client: { statuses: [401], retry: 'never', schema: 'OAuthInvalidClientError', additionalData: null, description: 'The client\'s id and secret are missing, malformed or wrong, or came with another scheme than Basic. The answer carries `WWW-Authenticate`.' },
  test_env_error: { statuses: [403], retry: 'never', schema: 'OAuthTestEnvironmentError', additionalData: null, description: 'Reserved: a connection that is restricted to a test environment was used outside of it.' },
  temporarily_unavailable: { statuses: [429, 529], retry: 'always', schema: 'OAuthTemporarilyUnavailableError', additionalData: null, description: 'The request was turned away before anything was done: the client\'s request budget is used up (429), or the service has too much to do (529). Wait as long as `Retry-After` says, then send it again.' },
  server_error: { statuses: [500, 503], retry: 'never', schema: 'OAuthServerError', additionalData: null, description: 'Something broke inside the service (500), or it cannot answer at the moment (503). Nothing was committed, yet the answer may also have been lost on its way: a code must not be used twice, so authorize again when a repeat says `invalid_grant`.' },
} as const satisfies Record<string, Omit<ErrorCode, 'status'> & { readonly statuses: readonly number[] }>;

export type OAuthErrorCodeName = keyof typeof oauthErrorCodes;
