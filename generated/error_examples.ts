// What the examples of the contract say for each error code.
// Made from spec/ by `npm run generate`. Do not edit.

import type { ErrorCodeName, OAuthErrorCodeName } from './error_codes.ts';

export interface ErrorExample {
  readonly message: string;
  readonly additionalData?: Readonly<Record<string, string | readonly string[]>>;
}

export interface ApiErrorExample extends ErrorExample {
  /** whether its response always has the version, so that the version must be known first */
  readonly repeatsVersion: boolean;
}

/** Errors of the API, by `code`. */
export const errorExamples: Readonly<Record<ErrorCodeName, ApiErrorExample>> = {
  invalid_beta: { message: 'Beta flag `strict-ids-2026-04-20` is outdated; the current flag is `strict-ids-2026-06-15`.', additionalData: { beta_error: 'unsupported_revision', flag: 'strict-ids-2026-04-20', current_flag: 'strict-ids-2026-06-15', supported_flags: ['explicit-position-2026-05-20', 'strict-ids-2026-06-15'] }, repeatsVersion: false },
  invalid_credit_limit: { message: 'body failed validation: body.credit_limit should be ≤ `20000`, instead was `25000`.', repeatsVersion: false },
  invalid_json: { message: 'Error parsing JSON body.', repeatsVersion: false },
  invalid_request: { message: 'This operation answers application/json, which the Accept header `text/csv` excludes.', repeatsVersion: false },
  invalid_request_url: { message: 'There is no GET /v1/boats.', repeatsVersion: false },
  missing_version: { message: 'Service-Version header failed validation: Service-Version header should be defined, instead was `undefined`.', repeatsVersion: false },
  validation_error: { message: 'body failed validation: body.children[0].paragraph.rich_text.length should be ≤ `100`, instead was `140`.', repeatsVersion: false },
  unauthorized: { message: 'API token is invalid.', repeatsVersion: false },
  agent_credit_limit_reached: { message: 'This agent has used its credit limit for the period.', additionalData: { tool_error_code: 'agent_credit_limit_reached', tool_error_class: 'entitlement_required', tool_error_retryable: 'false', recovery_kind: 'request_agent_limit_increase' }, repeatsVersion: true },
  restricted_resource: { message: 'The connection lacks the capability to update content (update_content).', additionalData: { required_capability: 'update_content' }, repeatsVersion: true },
  status_change_not_allowed: { message: 'The status of the agent dde5a881-1aaf-4366-8999-f49576886726 cannot be changed: its pause_reason is `credit_limit`, and this API changes only agents that are active or that it disabled itself.', repeatsVersion: true },
  workspace_credits_exhausted: { message: 'This workspace has used all of its credits.', additionalData: { tool_error_code: 'workspace_credits_exhausted', tool_error_class: 'entitlement_required', tool_error_retryable: 'false', recovery_kind: 'open_workspace_credit_settings', recovery_url: 'https://workspace.example/settings/credits' }, repeatsVersion: true },
  directory_not_found: { message: 'There is no directory /yard/orders.', repeatsVersion: true },
  object_not_found: { message: 'Could not find page with ID: 3af9f30c-5a66-4477-bda9-d8c096d38ff5. Make sure the relevant pages and databases are shared with your connection.', additionalData: { integration_id: '54a5054c-da2e-4003-9e0e-14ca778e6176' }, repeatsVersion: true },
  row_limit_exceeded: { message: 'The data source bce1cb34-00e2-47d7-9eda-7e46a386c4a7 cannot hold more rows in this workspace.', repeatsVersion: true },
  agent_deleted: { message: 'The agent dde5a881-1aaf-4366-8999-f49576886726 was deleted.', repeatsVersion: true },
  conflict_error: { message: 'Another edit of this page was saved at the same time. Read it again, then repeat the edit.', repeatsVersion: true },
  idempotency_key_reused: { message: 'Idempotency key `launch-42` was first used for a different POST /v1/pages request.', repeatsVersion: true },
  rate_limited: { message: 'The rate limit of this connection is exceeded; retry after the time in Retry-After.', additionalData: { rate_limit_reason: 'public_api_request_rate_limit' }, repeatsVersion: false },
  internal_server_error: { message: 'An unexpected error occurred.', repeatsVersion: false },
  service_unavailable: { message: 'The service is not available at the moment; try again later.', repeatsVersion: false },
  gateway_timeout: { message: 'The external agent did not respond in time.', repeatsVersion: true },
  service_overload: { message: 'The service is overloaded; retry after the time in Retry-After.', repeatsVersion: false },
};

export interface OAuthErrorExample extends ErrorExample {
  readonly code: string;
  readonly status: number;
}

/** Errors of the OAuth endpoints, by `error`. */
export const oauthErrorExamples: Readonly<Record<OAuthErrorCodeName, OAuthErrorExample>> = {
  invalid_grant: { message: 'The authorization code was already used.', code: 'invalid_grant', status: 400 },
  invalid_request: { message: 'body failed validation: body.external_account.key should be defined, instead was `undefined`.', additionalData: { failed_paths: ['body.external_account.key', 'body.external_account.name'] }, code: 'invalid_request', status: 400 },
  invalid_scope: { message: 'The scope is not valid.', code: 'invalid_scope', status: 400 },
  unauthorized_client: { message: 'This connection is internal and cannot exchange codes.', code: 'unauthorized_client', status: 400 },
  unsupported_grant_type: { message: 'body failed validation: body.grant_type should be one of `"authorization_code"`, `"refresh_token"`, instead was `"password"`.', code: 'unsupported_grant_type', status: 400 },
  invalid_client: { message: 'The client credentials are missing or not valid.', code: 'invalid_client', status: 401 },
  test_env_error: { message: 'This connection is restricted to a test environment.', code: 'test_env_error', status: 403 },
  temporarily_unavailable: { message: 'The service is overloaded; retry after the time in Retry-After.', code: 'service_overload', status: 529 },
  server_error: { message: 'An unexpected error occurred.', code: 'internal_server_error', status: 500 },
};
