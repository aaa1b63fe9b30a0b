// The operations of the contract as the client calls them, and the errors after which it repeats a call.
// Made from spec/ by `npm run generate`. Do not edit.

/** An operation. Members with the usual value are left out. */
export interface ClientOperation {
  readonly id: string;
  /** Where the client has it, such as `blocks.children.list`. */
  readonly name: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'put';
  /** Path template, parameters in braces. */
  readonly path: string;
  /** Other credentials than a bearer token. */
  readonly credentials?: 'client' | 'connection' | 'none';
  /** Whether it accepts an idempotency key. */
  readonly key?: true;
  /** Other headers than the version and betas. */
  readonly headers?: readonly string[];
  /** Query parameters. */
  readonly query?: readonly string[];
  /** Form of the request body. */
  readonly body?: 'json' | 'multipart' | 'form';
  /** Location of the cursor, key of the items in the response, and kind of list. */
  readonly pagination?: { readonly in: 'query' | 'body'; readonly items: string; readonly shape: string };
  /** Other successful statuses than 200. */
  readonly statuses?: readonly number[];
  /** Whether successful responses are not JSON. */
  readonly isPage?: true;
}

export const clientOperations = {
  createMeetingNotes: { id: 'createMeetingNotes', name: 'blocks.meetingNotes.create', method: 'post', path: '/v1/blocks/meeting_notes', key: true, body: 'json' },
  queryMeetingNotes: { id: 'queryMeetingNotes', name: 'blocks.meetingNotes.query', method: 'post', path: '/v1/blocks/meeting_notes/query', key: true, body: 'json' },
  retrieveBlock: { id: 'retrieveBlock', name: 'blocks.retrieve', method: 'get', path: '/v1/blocks/{block_id}' },
  updateBlock: { id: 'updateBlock', name: 'blocks.update', method: 'patch', path: '/v1/blocks/{block_id}', key: true, body: 'json' },
  deleteBlock: { id: 'deleteBlock', name: 'blocks.delete', method: 'delete', path: '/v1/blocks/{block_id}', key: true },
  listBlockChildren: { id: 'listBlockChildren', name: 'blocks.children.list', method: 'get', path: '/v1/blocks/{block_id}/children', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  appendBlockChildren: { id: 'appendBlockChildren', name: 'blocks.children.append', method: 'patch', path: '/v1/blocks/{block_id}/children', key: true, body: 'json' },
  createPage: { id: 'createPage', name: 'pages.create', method: 'post', path: '/v1/pages', key: true, query: ['filter_properties'], body: 'json', statuses: [200, 202] },
  retrievePage: { id: 'retrievePage', name: 'pages.retrieve', method: 'get', path: '/v1/pages/{page_id}', query: ['filter_properties'] },
  updatePage: { id: 'updatePage', name: 'pages.update', method: 'patch', path: '/v1/pages/{page_id}', key: true, query: ['filter_properties'], body: 'json' },
  movePage: { id: 'movePage', name: 'pages.move', method: 'post', path: '/v1/pages/{page_id}/move', key: true, body: 'json' },
  retrievePageProperty: { id: 'retrievePageProperty', name: 'pages.properties.retrieve', method: 'get', path: '/v1/pages/{page_id}/properties/{property_id}', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  retrievePageMarkdown: { id: 'retrievePageMarkdown', name: 'pages.markdown.retrieve', method: 'get', path: '/v1/pages/{page_id}/markdown', query: ['include_transcript'] },
  updatePageMarkdown: { id: 'updatePageMarkdown', name: 'pages.markdown.update', method: 'patch', path: '/v1/pages/{page_id}/markdown', key: true, body: 'json', statuses: [200, 202] },
  listDatabases: { id: 'listDatabases', name: 'databases.list', method: 'get', path: '/v1/databases', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  createDatabase: { id: 'createDatabase', name: 'databases.create', method: 'post', path: '/v1/databases', key: true, body: 'json' },
  retrieveDatabase: { id: 'retrieveDatabase', name: 'databases.retrieve', method: 'get', path: '/v1/databases/{database_id}' },
  updateDatabase: { id: 'updateDatabase', name: 'databases.update', method: 'patch', path: '/v1/databases/{database_id}', key: true, body: 'json' },
  queryDatabase: { id: 'queryDatabase', name: 'databases.query', method: 'post', path: '/v1/databases/{database_id}/query', key: true, query: ['filter_properties'], body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  createDataSource: { id: 'createDataSource', name: 'dataSources.create', method: 'post', path: '/v1/data_sources', key: true, body: 'json' },
  retrieveDataSource: { id: 'retrieveDataSource', name: 'dataSources.retrieve', method: 'get', path: '/v1/data_sources/{data_source_id}' },
  updateDataSource: { id: 'updateDataSource', name: 'dataSources.update', method: 'patch', path: '/v1/data_sources/{data_source_id}', key: true, body: 'json' },
  queryDataSource: { id: 'queryDataSource', name: 'dataSources.query', method: 'post', path: '/v1/data_sources/{data_source_id}/query', key: true, query: ['filter_properties'], body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  listDataSourceTemplates: { id: 'listDataSourceTemplates', name: 'dataSources.templates.list', method: 'get', path: '/v1/data_sources/{data_source_id}/templates', query: ['name', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'templates', shape: 'templates' } },
  listDatabaseViews: { id: 'listDatabaseViews', name: 'views.list', method: 'get', path: '/v1/views', query: ['database_id', 'data_source_id', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  createView: { id: 'createView', name: 'views.create', method: 'post', path: '/v1/views', key: true, body: 'json' },
  retrieveView: { id: 'retrieveView', name: 'views.retrieve', method: 'get', path: '/v1/views/{view_id}' },
  updateView: { id: 'updateView', name: 'views.update', method: 'patch', path: '/v1/views/{view_id}', key: true, body: 'json' },
  deleteView: { id: 'deleteView', name: 'views.delete', method: 'delete', path: '/v1/views/{view_id}', key: true },
  createViewQuery: { id: 'createViewQuery', name: 'views.queries.create', method: 'post', path: '/v1/views/{view_id}/queries', key: true, body: 'json', pagination: { in: 'query', items: 'results', shape: 'view_query' } },
  listViewQueryResults: { id: 'listViewQueryResults', name: 'views.queries.list', method: 'get', path: '/v1/views/{view_id}/queries/{query_id}', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  deleteViewQuery: { id: 'deleteViewQuery', name: 'views.queries.delete', method: 'delete', path: '/v1/views/{view_id}/queries/{query_id}', key: true },
  listComments: { id: 'listComments', name: 'comments.list', method: 'get', path: '/v1/comments', query: ['block_id', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  createComment: { id: 'createComment', name: 'comments.create', method: 'post', path: '/v1/comments', key: true, body: 'json' },
  retrieveComment: { id: 'retrieveComment', name: 'comments.retrieve', method: 'get', path: '/v1/comments/{comment_id}' },
  updateComment: { id: 'updateComment', name: 'comments.update', method: 'patch', path: '/v1/comments/{comment_id}', key: true, body: 'json' },
  deleteComment: { id: 'deleteComment', name: 'comments.delete', method: 'delete', path: '/v1/comments/{comment_id}', key: true },
  listFileUploads: { id: 'listFileUploads', name: 'fileUploads.list', method: 'get', path: '/v1/file_uploads', query: ['status', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  createFileUpload: { id: 'createFileUpload', name: 'fileUploads.create', method: 'post', path: '/v1/file_uploads', key: true, body: 'json' },
  retrieveFileUpload: { id: 'retrieveFileUpload', name: 'fileUploads.retrieve', method: 'get', path: '/v1/file_uploads/{file_upload_id}' },
  sendFileUpload: { id: 'sendFileUpload', name: 'fileUploads.send', method: 'post', path: '/v1/file_uploads/{file_upload_id}/send', key: true, body: 'multipart' },
  completeFileUpload: { id: 'completeFileUpload', name: 'fileUploads.complete', method: 'post', path: '/v1/file_uploads/{file_upload_id}/complete', key: true },
  listUsers: { id: 'listUsers', name: 'users.list', method: 'get', path: '/v1/users', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  retrieveMe: { id: 'retrieveMe', name: 'users.me.retrieve', method: 'get', path: '/v1/users/me' },
  retrieveUser: { id: 'retrieveUser', name: 'users.retrieve', method: 'get', path: '/v1/users/{user_id}' },
  search: { id: 'search', name: 'search', method: 'post', path: '/v1/search', key: true, body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  listCustomEmojis: { id: 'listCustomEmojis', name: 'customEmojis.list', method: 'get', path: '/v1/custom_emojis', query: ['name', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  retrieveAsyncTask: { id: 'retrieveAsyncTask', name: 'asyncTasks.retrieve', method: 'get', path: '/v1/async_tasks/{task_id}' },
  listAgents: { id: 'listAgents', name: 'agents.list', method: 'get', path: '/v1/agents', query: ['name', 'agent_type', 'agent_ids', 'created_by', 'verbose', 'start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  queryAgents: { id: 'queryAgents', name: 'agents.query', method: 'post', path: '/v1/agents/query', key: true, body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  createAgentBatch: { id: 'createAgentBatch', name: 'agents.batch.create', method: 'post', path: '/v1/agents/batch', key: true, body: 'json', statuses: [202] },
  retrieveAgent: { id: 'retrieveAgent', name: 'agents.retrieve', method: 'get', path: '/v1/agents/{agent_id}', query: ['verbose'] },
  deleteAgent: { id: 'deleteAgent', name: 'agents.delete', method: 'delete', path: '/v1/agents/{agent_id}', key: true },
  updateAgentStatus: { id: 'updateAgentStatus', name: 'agents.status.update', method: 'patch', path: '/v1/agents/{agent_id}/status', key: true, body: 'json' },
  updateAgentCreditLimit: { id: 'updateAgentCreditLimit', name: 'agents.creditLimit.update', method: 'patch', path: '/v1/agents/{agent_id}/credit_limit', key: true, body: 'json' },
  retrieveAgentInsights: { id: 'retrieveAgentInsights', name: 'agents.insights.retrieve', method: 'get', path: '/v1/agents/{agent_id}/insights', query: ['start_time', 'end_time'] },
  createSession: { id: 'createSession', name: 'sessions.create', method: 'post', path: '/v1/sessions', key: true, body: 'json' },
  querySessions: { id: 'querySessions', name: 'sessions.query', method: 'post', path: '/v1/sessions/query', key: true, body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  retrieveSession: { id: 'retrieveSession', name: 'sessions.retrieve', method: 'get', path: '/v1/sessions/{session_id}' },
  cancelSession: { id: 'cancelSession', name: 'sessions.cancel', method: 'post', path: '/v1/sessions/{session_id}/cancel', key: true, body: 'json' },
  querySessionEvents: { id: 'querySessionEvents', name: 'sessions.events.query', method: 'post', path: '/v1/sessions/{session_id}/events/query', key: true, body: 'json', pagination: { in: 'body', items: 'results', shape: 'list' } },
  retrieveAuthorizationPage: { id: 'retrieveAuthorizationPage', name: 'oauth.authorize.retrieve', method: 'get', path: '/v1/oauth/authorize', credentials: 'none', headers: [], query: ['client_id', 'redirect_uri', 'response_type', 'owner', 'state', 'code_challenge', 'code_challenge_method'], statuses: [200, 302], isPage: true },
  createAuthorization: { id: 'createAuthorization', name: 'oauth.authorize.create', method: 'post', path: '/v1/oauth/authorize', credentials: 'none', headers: [], body: 'form', statuses: [303], isPage: true },
  createToken: { id: 'createToken', name: 'oauth.token.create', method: 'post', path: '/v1/oauth/token', credentials: 'client', headers: ['Service-Version'], body: 'json' },
  introspectToken: { id: 'introspectToken', name: 'oauth.introspect', method: 'post', path: '/v1/oauth/introspect', credentials: 'client', headers: ['Service-Version'], body: 'json' },
  revokeToken: { id: 'revokeToken', name: 'oauth.revoke', method: 'post', path: '/v1/oauth/revoke', credentials: 'client', headers: ['Service-Version'], body: 'json' },
  listWebhookSubscriptions: { id: 'listWebhookSubscriptions', name: 'webhookSubscriptions.list', method: 'get', path: '/v1/webhook_subscriptions', credentials: 'connection', query: ['start_cursor', 'page_size'], pagination: { in: 'query', items: 'results', shape: 'list' } },
  createWebhookSubscription: { id: 'createWebhookSubscription', name: 'webhookSubscriptions.create', method: 'post', path: '/v1/webhook_subscriptions', credentials: 'connection', key: true, body: 'json' },
  retrieveWebhookSubscription: { id: 'retrieveWebhookSubscription', name: 'webhookSubscriptions.retrieve', method: 'get', path: '/v1/webhook_subscriptions/{subscription_id}', credentials: 'connection' },
  updateWebhookSubscription: { id: 'updateWebhookSubscription', name: 'webhookSubscriptions.update', method: 'patch', path: '/v1/webhook_subscriptions/{subscription_id}', credentials: 'connection', key: true, body: 'json' },
  deleteWebhookSubscription: { id: 'deleteWebhookSubscription', name: 'webhookSubscriptions.delete', method: 'delete', path: '/v1/webhook_subscriptions/{subscription_id}', credentials: 'connection', key: true },
  verifyWebhookSubscription: { id: 'verifyWebhookSubscription', name: 'webhookSubscriptions.verify', method: 'post', path: '/v1/webhook_subscriptions/{subscription_id}/verify', credentials: 'connection', body: 'json' },
  sendWebhookVerification: { id: 'sendWebhookVerification', name: 'webhookSubscriptions.resend', method: 'post', path: '/v1/webhook_subscriptions/{subscription_id}/resend', credentials: 'connection', key: true },
} as const satisfies Record<string, ClientOperation>;

/** When a call can be repeated after an error, by its code, unless its status says it. */
export const retryOfCode: Readonly<Record<string, 'always' | 'idempotent_only' | 'never'>> = { temporarily_unavailable: 'always', server_error: 'never', rate_limited: 'always', internal_server_error: 'idempotent_only', service_unavailable: 'idempotent_only', gateway_timeout: 'never', service_overload: 'always' };
/** Statuses whose errors all allow to repeat the call. */
export const retriedStatuses: readonly number[] = [429, 529];
