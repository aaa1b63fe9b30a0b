// The handlers of a server: one for each operation of the contract.
// Made from spec/ by `npm run generate`. Do not edit.

import type {
  operations,
  AgentBatchRequest,
  AgentCreditLimitRequest,
  AgentCreditLimitResult,
  AgentDeleteResult,
  AgentInsights,
  AgentList,
  AgentObject,
  AgentQueryList,
  AgentQueryRequest,
  AgentStatusRequest,
  AgentStatusResult,
  AppendBlockChildrenRequest,
  AsyncTask,
  BlockList,
  BlockOrPartialBlock,
  BlockUpdateRequest,
  CancelSessionRequest,
  Comment,
  CommentList,
  CommentOrPartialComment,
  CreateCommentRequest,
  CreateMeetingNotesRequest,
  CreatePageRequest,
  CustomEmojiList,
  DataSourceCreateRequest,
  DataSourceOrPartialDataSource,
  DataSourceQueryRequest,
  DataSourceQueryResponse,
  DataSourceUpdateRequest,
  DatabaseCreateRequest,
  DatabaseList,
  DatabaseOrPartialDatabase,
  DatabaseQueryResponse,
  DatabaseUpdateRequest,
  DeletedViewQuery,
  DeletedWebhookSubscription,
  FileUploadCreateRequest,
  FileUploadList,
  FileUploadObject,
  FileUploadSendRequest,
  MeetingNotesBlock,
  MeetingNotesResults,
  MovePageRequest,
  OAuthIntrospectRequest,
  OAuthIntrospectResponse,
  OAuthRevokeRequest,
  OAuthRevokeResponse,
  OAuthTokenRequest,
  OAuthTokenResponse,
  PageMarkdown,
  PageOrPartialPage,
  PartialView,
  PendingAsyncTask,
  PropertyItemOrList,
  QueryMeetingNotesRequest,
  SearchRequest,
  SearchResultList,
  Session,
  SessionDetail,
  SessionEventList,
  SessionEventQueryRequest,
  SessionList,
  SessionQueryRequest,
  SessionUpdateRequest,
  TemplateList,
  UpdateCommentRequest,
  UpdatePageMarkdownRequest,
  UpdatePageRequest,
  User,
  UserList,
  ViewCreateRequest,
  ViewList,
  ViewQuery,
  ViewQueryCreateRequest,
  ViewQueryResultList,
  ViewResponse,
  ViewUpdateRequest,
  WebhookSubscription,
  WebhookSubscriptionCreateRequest,
  WebhookSubscriptionList,
  WebhookSubscriptionUpdateRequest,
  WebhookVerificationRequest,
} from './types.ts';

/** An operation without parameters of this kind. */
export type None = Record<string, never>;

/** A form with its files replaced by something else. */
type FormOf<Form, File> = { [Part in keyof Form]: Form[Part] extends Blob ? File : Form[Part] };

/** The input of each operation, by wire names, and the body of its response. @typeParam File a file of a form */
export interface Calls<File> {
  /** Create meeting notes: `POST /v1/blocks/meeting_notes` */
  createMeetingNotes: {
    path: None;
    query: None;
    body: CreateMeetingNotesRequest;
    response: MeetingNotesBlock;
  };
  /** Query meeting notes: `POST /v1/blocks/meeting_notes/query` */
  queryMeetingNotes: {
    path: None;
    query: None;
    body: QueryMeetingNotesRequest;
    response: MeetingNotesResults;
  };
  /** Retrieve a block: `GET /v1/blocks/{block_id}` */
  retrieveBlock: {
    path: operations['retrieveBlock']['parameters']['path'];
    query: None;
    body: undefined;
    response: BlockOrPartialBlock;
  };
  /** Update a block: `PATCH /v1/blocks/{block_id}` */
  updateBlock: {
    path: operations['updateBlock']['parameters']['path'];
    query: None;
    body: BlockUpdateRequest;
    response: BlockOrPartialBlock;
  };
  /** Delete a block: `DELETE /v1/blocks/{block_id}` */
  deleteBlock: {
    path: operations['deleteBlock']['parameters']['path'];
    query: None;
    body: undefined;
    response: BlockOrPartialBlock;
  };
  /** List the children of a block: `GET /v1/blocks/{block_id}/children` */
  listBlockChildren: {
    path: operations['listBlockChildren']['parameters']['path'];
    query: NonNullable<operations['listBlockChildren']['parameters']['query']>;
    body: undefined;
    response: BlockList;
  };
  /** Append children to a block: `PATCH /v1/blocks/{block_id}/children` */
  appendBlockChildren: {
    path: operations['appendBlockChildren']['parameters']['path'];
    query: None;
    body: AppendBlockChildrenRequest;
    response: BlockList;
  };
  /** Create a page: `POST /v1/pages` */
  createPage: {
    path: None;
    query: NonNullable<operations['createPage']['parameters']['query']>;
    body: CreatePageRequest;
    response: PageOrPartialPage | PendingAsyncTask;
  };
  /** Retrieve a page: `GET /v1/pages/{page_id}` */
  retrievePage: {
    path: operations['retrievePage']['parameters']['path'];
    query: NonNullable<operations['retrievePage']['parameters']['query']>;
    body: undefined;
    response: PageOrPartialPage;
  };
  /** Update a page: `PATCH /v1/pages/{page_id}` */
  updatePage: {
    path: operations['updatePage']['parameters']['path'];
    query: NonNullable<operations['updatePage']['parameters']['query']>;
    body: UpdatePageRequest;
    response: PageOrPartialPage;
  };
  /** Move a page: `POST /v1/pages/{page_id}/move` */
  movePage: {
    path: operations['movePage']['parameters']['path'];
    query: None;
    body: MovePageRequest;
    response: PageOrPartialPage;
  };
  /** Retrieve a page property: `GET /v1/pages/{page_id}/properties/{property_id}` */
  retrievePageProperty: {
    path: operations['retrievePageProperty']['parameters']['path'];
    query: NonNullable<operations['retrievePageProperty']['parameters']['query']>;
    body: undefined;
    response: PropertyItemOrList;
  };
  /** Retrieve a page as Markdown: `GET /v1/pages/{page_id}/markdown` */
  retrievePageMarkdown: {
    path: operations['retrievePageMarkdown']['parameters']['path'];
    query: NonNullable<operations['retrievePageMarkdown']['parameters']['query']>;
    body: undefined;
    response: PageMarkdown;
  };
  /** Update a page as Markdown: `PATCH /v1/pages/{page_id}/markdown` */
  updatePageMarkdown: {
    path: operations['updatePageMarkdown']['parameters']['path'];
    query: None;
    body: UpdatePageMarkdownRequest;
    response: PageMarkdown | PendingAsyncTask;
  };
  /** List databases: `GET /v1/databases` */
  listDatabases: {
    path: None;
    query: NonNullable<operations['listDatabases']['parameters']['query']>;
    body: undefined;
    response: DatabaseList;
  };
  /** Create a database: `POST /v1/databases` */
  createDatabase: {
    path: None;
    query: None;
    body: DatabaseCreateRequest;
    response: DatabaseOrPartialDatabase;
  };
  /** Retrieve a database: `GET /v1/databases/{database_id}` */
  retrieveDatabase: {
    path: operations['retrieveDatabase']['parameters']['path'];
    query: None;
    body: undefined;
    response: DatabaseOrPartialDatabase;
  };
  /** Update a database: `PATCH /v1/databases/{database_id}` */
  updateDatabase: {
    path: operations['updateDatabase']['parameters']['path'];
    query: None;
    body: DatabaseUpdateRequest;
    response: DatabaseOrPartialDatabase;
  };
  /** Query a database: `POST /v1/databases/{database_id}/query` */
  queryDatabase: {
    path: operations['queryDatabase']['parameters']['path'];
    query: NonNullable<operations['queryDatabase']['parameters']['query']>;
    body: DataSourceQueryRequest;
    response: DatabaseQueryResponse;
  };
  /** Create a data source: `POST /v1/data_sources` */
  createDataSource: {
    path: None;
    query: None;
    body: DataSourceCreateRequest;
    response: DataSourceOrPartialDataSource;
  };
  /** Retrieve a data source: `GET /v1/data_sources/{data_source_id}` */
  retrieveDataSource: {
    path: operations['retrieveDataSource']['parameters']['path'];
    query: None;
    body: undefined;
    response: DataSourceOrPartialDataSource;
  };
  /** Update a data source: `PATCH /v1/data_sources/{data_source_id}` */
  updateDataSource: {
    path: operations['updateDataSource']['parameters']['path'];
    query: None;
    body: DataSourceUpdateRequest;
    response: DataSourceOrPartialDataSource;
  };
  /** Query a data source: `POST /v1/data_sources/{data_source_id}/query` */
  queryDataSource: {
    path: operations['queryDataSource']['parameters']['path'];
    query: NonNullable<operations['queryDataSource']['parameters']['query']>;
    body: DataSourceQueryRequest;
    response: DataSourceQueryResponse;
  };
  /** List the templates of a data source: `GET /v1/data_sources/{data_source_id}/templates` */
  listDataSourceTemplates: {
    path: operations['listDataSourceTemplates']['parameters']['path'];
    query: NonNullable<operations['listDataSourceTemplates']['parameters']['query']>;
    body: undefined;
    response: TemplateList;
  };
  /** List views: `GET /v1/views` */
  listDatabaseViews: {
    path: None;
    query: NonNullable<operations['listDatabaseViews']['parameters']['query']>;
    body: undefined;
    response: ViewList;
  };
  /** Create a view: `POST /v1/views` */
  createView: {
    path: None;
    query: None;
    body: ViewCreateRequest;
    response: ViewResponse;
  };
  /** Retrieve a view: `GET /v1/views/{view_id}` */
  retrieveView: {
    path: operations['retrieveView']['parameters']['path'];
    query: None;
    body: undefined;
    response: ViewResponse;
  };
  /** Update a view: `PATCH /v1/views/{view_id}` */
  updateView: {
    path: operations['updateView']['parameters']['path'];
    query: None;
    body: ViewUpdateRequest;
    response: ViewResponse;
  };
  /** Delete a view: `DELETE /v1/views/{view_id}` */
  deleteView: {
    path: operations['deleteView']['parameters']['path'];
    query: None;
    body: undefined;
    response: PartialView;
  };
  /** Query a view: `POST /v1/views/{view_id}/queries` */
  createViewQuery: {
    path: operations['createViewQuery']['parameters']['path'];
    query: None;
    body: ViewQueryCreateRequest;
    response: ViewQuery;
  };
  /** List the results of a view query: `GET /v1/views/{view_id}/queries/{query_id}` */
  listViewQueryResults: {
    path: operations['listViewQueryResults']['parameters']['path'];
    query: NonNullable<operations['listViewQueryResults']['parameters']['query']>;
    body: undefined;
    response: ViewQueryResultList;
  };
  /** Delete a view query: `DELETE /v1/views/{view_id}/queries/{query_id}` */
  deleteViewQuery: {
    path: operations['deleteViewQuery']['parameters']['path'];
    query: None;
    body: undefined;
    response: DeletedViewQuery;
  };
  /** List comments: `GET /v1/comments` */
  listComments: {
    path: None;
    query: NonNullable<operations['listComments']['parameters']['query']>;
    body: undefined;
    response: CommentList;
  };
  /** Create a comment: `POST /v1/comments` */
  createComment: {
    path: None;
    query: None;
    body: CreateCommentRequest;
    response: CommentOrPartialComment;
  };
  /** Retrieve a comment: `GET /v1/comments/{comment_id}` */
  retrieveComment: {
    path: operations['retrieveComment']['parameters']['path'];
    query: None;
    body: undefined;
    response: Comment;
  };
  /** Update a comment: `PATCH /v1/comments/{comment_id}` */
  updateComment: {
    path: operations['updateComment']['parameters']['path'];
    query: None;
    body: UpdateCommentRequest;
    response: CommentOrPartialComment;
  };
  /** Delete a comment: `DELETE /v1/comments/{comment_id}` */
  deleteComment: {
    path: operations['deleteComment']['parameters']['path'];
    query: None;
    body: undefined;
    response: CommentOrPartialComment;
  };
  /** List file uploads: `GET /v1/file_uploads` */
  listFileUploads: {
    path: None;
    query: NonNullable<operations['listFileUploads']['parameters']['query']>;
    body: undefined;
    response: FileUploadList;
  };
  /** Create a file upload: `POST /v1/file_uploads` */
  createFileUpload: {
    path: None;
    query: None;
    body: FileUploadCreateRequest;
    response: FileUploadObject;
  };
  /** Retrieve a file upload: `GET /v1/file_uploads/{file_upload_id}` */
  retrieveFileUpload: {
    path: operations['retrieveFileUpload']['parameters']['path'];
    query: None;
    body: undefined;
    response: FileUploadObject;
  };
  /** Send a file or a part of it: `POST /v1/file_uploads/{file_upload_id}/send` */
  sendFileUpload: {
    path: operations['sendFileUpload']['parameters']['path'];
    query: None;
    body: FormOf<FileUploadSendRequest, File>;
    response: FileUploadObject;
  };
  /** Complete a multi-part upload: `POST /v1/file_uploads/{file_upload_id}/complete` */
  completeFileUpload: {
    path: operations['completeFileUpload']['parameters']['path'];
    query: None;
    body: undefined;
    response: FileUploadObject;
  };
  /** List users: `GET /v1/users` */
  listUsers: {
    path: None;
    query: NonNullable<operations['listUsers']['parameters']['query']>;
    body: undefined;
    response: UserList;
  };
  /** Retrieve the token's own user: `GET /v1/users/me` */
  retrieveMe: {
    path: None;
    query: None;
    body: undefined;
    response: User;
  };
  /** Retrieve a user: `GET /v1/users/{user_id}` */
  retrieveUser: {
    path: operations['retrieveUser']['parameters']['path'];
    query: None;
    body: undefined;
    response: User;
  };
  /** Search by title: `POST /v1/search` */
  search: {
    path: None;
    query: None;
    body: SearchRequest;
    response: SearchResultList;
  };
  /** List custom emojis: `GET /v1/custom_emojis` */
  listCustomEmojis: {
    path: None;
    query: NonNullable<operations['listCustomEmojis']['parameters']['query']>;
    body: undefined;
    response: CustomEmojiList;
  };
  /** Retrieve an async task: `GET /v1/async_tasks/{task_id}` */
  retrieveAsyncTask: {
    path: operations['retrieveAsyncTask']['parameters']['path'];
    query: None;
    body: undefined;
    response: AsyncTask;
  };
  /** List agents: `GET /v1/agents` */
  listAgents: {
    path: None;
    query: NonNullable<operations['listAgents']['parameters']['query']>;
    body: undefined;
    response: AgentList;
  };
  /** Query agents: `POST /v1/agents/query` */
  queryAgents: {
    path: None;
    query: None;
    body: AgentQueryRequest;
    response: AgentQueryList;
  };
  /** Change several agents: `POST /v1/agents/batch` */
  createAgentBatch: {
    path: None;
    query: None;
    body: AgentBatchRequest;
    response: PendingAsyncTask;
  };
  /** Retrieve an agent: `GET /v1/agents/{agent_id}` */
  retrieveAgent: {
    path: operations['retrieveAgent']['parameters']['path'];
    query: NonNullable<operations['retrieveAgent']['parameters']['query']>;
    body: undefined;
    response: AgentObject;
  };
  /** Delete an agent: `DELETE /v1/agents/{agent_id}` */
  deleteAgent: {
    path: operations['deleteAgent']['parameters']['path'];
    query: None;
    body: undefined;
    response: AgentDeleteResult;
  };
  /** Enable or disable an agent: `PATCH /v1/agents/{agent_id}/status` */
  updateAgentStatus: {
    path: operations['updateAgentStatus']['parameters']['path'];
    query: None;
    body: AgentStatusRequest;
    response: AgentStatusResult;
  };
  /** Set an agent's credit limit: `PATCH /v1/agents/{agent_id}/credit_limit` */
  updateAgentCreditLimit: {
    path: operations['updateAgentCreditLimit']['parameters']['path'];
    query: None;
    body: AgentCreditLimitRequest;
    response: AgentCreditLimitResult;
  };
  /** Retrieve an agent's insights: `GET /v1/agents/{agent_id}/insights` */
  retrieveAgentInsights: {
    path: operations['retrieveAgentInsights']['parameters']['path'];
    query: NonNullable<operations['retrieveAgentInsights']['parameters']['query']>;
    body: undefined;
    response: AgentInsights;
  };
  /** Talk to an agent: `POST /v1/sessions` */
  createSession: {
    path: None;
    query: None;
    body: SessionUpdateRequest;
    response: Session;
  };
  /** Query sessions: `POST /v1/sessions/query` */
  querySessions: {
    path: None;
    query: None;
    body: SessionQueryRequest;
    response: SessionList;
  };
  /** Retrieve a session: `GET /v1/sessions/{session_id}` */
  retrieveSession: {
    path: operations['retrieveSession']['parameters']['path'];
    query: None;
    body: undefined;
    response: SessionDetail;
  };
  /** Cancel a turn: `POST /v1/sessions/{session_id}/cancel` */
  cancelSession: {
    path: operations['cancelSession']['parameters']['path'];
    query: None;
    body: CancelSessionRequest;
    response: Session;
  };
  /** Query a session's events: `POST /v1/sessions/{session_id}/events/query` */
  querySessionEvents: {
    path: operations['querySessionEvents']['parameters']['path'];
    query: None;
    body: SessionEventQueryRequest;
    response: SessionEventList;
  };
  /** Create or refresh tokens: `POST /v1/oauth/token` */
  createToken: {
    path: None;
    query: None;
    body: OAuthTokenRequest;
    response: OAuthTokenResponse;
  };
  /** Introspect a token: `POST /v1/oauth/introspect` */
  introspectToken: {
    path: None;
    query: None;
    body: OAuthIntrospectRequest;
    response: OAuthIntrospectResponse;
  };
  /** Revoke a token: `POST /v1/oauth/revoke` */
  revokeToken: {
    path: None;
    query: None;
    body: OAuthRevokeRequest;
    response: OAuthRevokeResponse;
  };
  /** List webhook subscriptions: `GET /v1/webhook_subscriptions` */
  listWebhookSubscriptions: {
    path: None;
    query: NonNullable<operations['listWebhookSubscriptions']['parameters']['query']>;
    body: undefined;
    response: WebhookSubscriptionList;
  };
  /** Create a webhook subscription: `POST /v1/webhook_subscriptions` */
  createWebhookSubscription: {
    path: None;
    query: None;
    body: WebhookSubscriptionCreateRequest;
    response: WebhookSubscription;
  };
  /** Retrieve a webhook subscription: `GET /v1/webhook_subscriptions/{subscription_id}` */
  retrieveWebhookSubscription: {
    path: operations['retrieveWebhookSubscription']['parameters']['path'];
    query: None;
    body: undefined;
    response: WebhookSubscription;
  };
  /** Update a webhook subscription: `PATCH /v1/webhook_subscriptions/{subscription_id}` */
  updateWebhookSubscription: {
    path: operations['updateWebhookSubscription']['parameters']['path'];
    query: None;
    body: WebhookSubscriptionUpdateRequest;
    response: WebhookSubscription;
  };
  /** Delete a webhook subscription: `DELETE /v1/webhook_subscriptions/{subscription_id}` */
  deleteWebhookSubscription: {
    path: operations['deleteWebhookSubscription']['parameters']['path'];
    query: None;
    body: undefined;
    response: DeletedWebhookSubscription;
  };
  /** Verify a webhook subscription: `POST /v1/webhook_subscriptions/{subscription_id}/verify` */
  verifyWebhookSubscription: {
    path: operations['verifyWebhookSubscription']['parameters']['path'];
    query: None;
    body: WebhookVerificationRequest;
    response: WebhookSubscription;
  };
  /** Send the verification token again: `POST /v1/webhook_subscriptions/{subscription_id}/resend` */
  sendWebhookVerification: {
    path: operations['sendWebhookVerification']['parameters']['path'];
    query: None;
    body: undefined;
    response: WebhookSubscription;
  };
}

/** Operations with JSON responses; the others are pages for people. */
export type HandledId = keyof Calls<never>;

/** One function for each operation. @typeParam Context what comes with every request besides */
export type Handlers<Context, File> = {
  [Id in HandledId]: (
    call: Context & Readonly<Pick<Calls<File>[Id], 'path' | 'query' | 'body'>>,
  ) => Promise<Calls<File>[Id]['response']>;
};
