// The resources of the client: a method for each operation of the contract.
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
  AuthorizationDecisionRequest,
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
  HtmlPage,
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

/** A response with its status and headers. */
export interface FullResponse<Body> {
  readonly data: Body;
  readonly status: number;
  readonly headers: Headers;
  /** Identifies this request in the service's log. */
  readonly requestId: string | undefined;
}

/** A call that has been sent. Await it for the body of the response. */
export interface Call<Body> extends Promise<Body> {
  /** The body with the status, headers and request id of the response. */
  withResponse(): Promise<FullResponse<Body>>;
}

/** A call for the first page of a list. Await it for that page, or iterate over it for the items of all pages. */
export interface ListCall<Page, Item> extends Call<Page>, AsyncIterable<Item> {
  /** The pages, from the first one; each is fetched when it is needed. */
  pages(): AsyncGenerator<Page, void, undefined>;
  /** All items, or the first `limit` ones. */
  all(options?: { readonly limit?: number }): Promise<Item[]>;
}

/** Makes retries of a write safe. */
export interface Keyed {
  readonly idempotencyKey?: string;
}

/** The items of a page. */
export type ItemOf<Page, Key extends string> = Page extends { [K in Key]: readonly (infer Item)[] } ? Item : never;

/** Parameters of `blocks.meetingNotes.create`. */
export type CreateMeetingNotesParameters = CreateMeetingNotesRequest;

/** Parameters of `blocks.meetingNotes.query`. */
export type QueryMeetingNotesParameters = QueryMeetingNotesRequest;

/** Parameters of `blocks.retrieve`. */
export type RetrieveBlockParameters = operations['retrieveBlock']['parameters']['path'];

/** Parameters of `blocks.update`. */
export type UpdateBlockParameters = operations['updateBlock']['parameters']['path'] & BlockUpdateRequest;

/** Parameters of `blocks.delete`. */
export type DeleteBlockParameters = operations['deleteBlock']['parameters']['path'];

/** Parameters of `blocks.children.list`. */
export type ListBlockChildrenParameters = operations['listBlockChildren']['parameters']['path'] & NonNullable<operations['listBlockChildren']['parameters']['query']>;

/** Parameters of `blocks.children.append`. */
export type AppendBlockChildrenParameters = operations['appendBlockChildren']['parameters']['path'] & AppendBlockChildrenRequest;

/** Parameters of `pages.create`. */
export type CreatePageParameters = NonNullable<operations['createPage']['parameters']['query']> & CreatePageRequest;

/** Parameters of `pages.retrieve`. */
export type RetrievePageParameters = operations['retrievePage']['parameters']['path'] & NonNullable<operations['retrievePage']['parameters']['query']>;

/** Parameters of `pages.update`. */
export type UpdatePageParameters = operations['updatePage']['parameters']['path'] & NonNullable<operations['updatePage']['parameters']['query']> & UpdatePageRequest;

/** Parameters of `pages.move`. */
export type MovePageParameters = operations['movePage']['parameters']['path'] & MovePageRequest;

/** Parameters of `pages.properties.retrieve`. */
export type RetrievePagePropertyParameters = operations['retrievePageProperty']['parameters']['path'] & NonNullable<operations['retrievePageProperty']['parameters']['query']>;

/** Parameters of `pages.markdown.retrieve`. */
export type RetrievePageMarkdownParameters = operations['retrievePageMarkdown']['parameters']['path'] & NonNullable<operations['retrievePageMarkdown']['parameters']['query']>;

/** Parameters of `pages.markdown.update`. */
export type UpdatePageMarkdownParameters = operations['updatePageMarkdown']['parameters']['path'] & UpdatePageMarkdownRequest;

/** Parameters of `databases.list`. */
export type ListDatabasesParameters = NonNullable<operations['listDatabases']['parameters']['query']>;

/** Parameters of `databases.create`. */
export type CreateDatabaseParameters = DatabaseCreateRequest;

/** Parameters of `databases.retrieve`. */
export type RetrieveDatabaseParameters = operations['retrieveDatabase']['parameters']['path'];

/** Parameters of `databases.update`. */
export type UpdateDatabaseParameters = operations['updateDatabase']['parameters']['path'] & DatabaseUpdateRequest;

/** Parameters of `databases.query`. */
export type QueryDatabaseParameters = operations['queryDatabase']['parameters']['path'] & NonNullable<operations['queryDatabase']['parameters']['query']> & DataSourceQueryRequest;

/** Parameters of `dataSources.create`. */
export type CreateDataSourceParameters = DataSourceCreateRequest;

/** Parameters of `dataSources.retrieve`. */
export type RetrieveDataSourceParameters = operations['retrieveDataSource']['parameters']['path'];

/** Parameters of `dataSources.update`. */
export type UpdateDataSourceParameters = operations['updateDataSource']['parameters']['path'] & DataSourceUpdateRequest;

/** Parameters of `dataSources.query`. */
export type QueryDataSourceParameters = operations['queryDataSource']['parameters']['path'] & NonNullable<operations['queryDataSource']['parameters']['query']> & DataSourceQueryRequest;

/** Parameters of `dataSources.templates.list`. */
export type ListDataSourceTemplatesParameters = operations['listDataSourceTemplates']['parameters']['path'] & NonNullable<operations['listDataSourceTemplates']['parameters']['query']>;

/** Parameters of `views.list`. */
export type ListDatabaseViewsParameters = NonNullable<operations['listDatabaseViews']['parameters']['query']>;

/** Parameters of `views.create`. */
export type CreateViewParameters = ViewCreateRequest;

/** Parameters of `views.retrieve`. */
export type RetrieveViewParameters = operations['retrieveView']['parameters']['path'];

/** Parameters of `views.update`. */
export type UpdateViewParameters = operations['updateView']['parameters']['path'] & ViewUpdateRequest;

/** Parameters of `views.delete`. */
export type DeleteViewParameters = operations['deleteView']['parameters']['path'];

/** Parameters of `views.queries.create`. */
export type CreateViewQueryParameters = operations['createViewQuery']['parameters']['path'] & ViewQueryCreateRequest;

/** Parameters of `views.queries.list`. */
export type ListViewQueryResultsParameters = operations['listViewQueryResults']['parameters']['path'] & NonNullable<operations['listViewQueryResults']['parameters']['query']>;

/** Parameters of `views.queries.delete`. */
export type DeleteViewQueryParameters = operations['deleteViewQuery']['parameters']['path'];

/** Parameters of `comments.list`. */
export type ListCommentsParameters = NonNullable<operations['listComments']['parameters']['query']>;

/** Parameters of `comments.create`. */
export type CreateCommentParameters = CreateCommentRequest;

/** Parameters of `comments.retrieve`. */
export type RetrieveCommentParameters = operations['retrieveComment']['parameters']['path'];

/** Parameters of `comments.update`. */
export type UpdateCommentParameters = operations['updateComment']['parameters']['path'] & UpdateCommentRequest;

/** Parameters of `comments.delete`. */
export type DeleteCommentParameters = operations['deleteComment']['parameters']['path'];

/** Parameters of `fileUploads.list`. */
export type ListFileUploadsParameters = NonNullable<operations['listFileUploads']['parameters']['query']>;

/** Parameters of `fileUploads.create`. */
export type CreateFileUploadParameters = FileUploadCreateRequest;

/** Parameters of `fileUploads.retrieve`. */
export type RetrieveFileUploadParameters = operations['retrieveFileUpload']['parameters']['path'];

/** Parameters of `fileUploads.send`. */
export type SendFileUploadParameters = operations['sendFileUpload']['parameters']['path'] & FileUploadSendRequest;

/** Parameters of `fileUploads.complete`. */
export type CompleteFileUploadParameters = operations['completeFileUpload']['parameters']['path'];

/** Parameters of `users.list`. */
export type ListUsersParameters = NonNullable<operations['listUsers']['parameters']['query']>;

/** Parameters of `users.retrieve`. */
export type RetrieveUserParameters = operations['retrieveUser']['parameters']['path'];

/** Parameters of `search`. */
export type SearchParameters = SearchRequest;

/** Parameters of `customEmojis.list`. */
export type ListCustomEmojisParameters = NonNullable<operations['listCustomEmojis']['parameters']['query']>;

/** Parameters of `asyncTasks.retrieve`. */
export type RetrieveAsyncTaskParameters = operations['retrieveAsyncTask']['parameters']['path'];

/** Parameters of `agents.list`. */
export type ListAgentsParameters = NonNullable<operations['listAgents']['parameters']['query']>;

/** Parameters of `agents.query`. */
export type QueryAgentsParameters = AgentQueryRequest;

/** Parameters of `agents.batch.create`. */
export type CreateAgentBatchParameters = AgentBatchRequest;

/** Parameters of `agents.retrieve`. */
export type RetrieveAgentParameters = operations['retrieveAgent']['parameters']['path'] & NonNullable<operations['retrieveAgent']['parameters']['query']>;

/** Parameters of `agents.delete`. */
export type DeleteAgentParameters = operations['deleteAgent']['parameters']['path'];

/** Parameters of `agents.status.update`. */
export type UpdateAgentStatusParameters = operations['updateAgentStatus']['parameters']['path'] & AgentStatusRequest;

/** Parameters of `agents.creditLimit.update`. */
export type UpdateAgentCreditLimitParameters = operations['updateAgentCreditLimit']['parameters']['path'] & AgentCreditLimitRequest;

/** Parameters of `agents.insights.retrieve`. */
export type RetrieveAgentInsightsParameters = operations['retrieveAgentInsights']['parameters']['path'] & NonNullable<operations['retrieveAgentInsights']['parameters']['query']>;

/** Parameters of `sessions.create`. */
export type CreateSessionParameters = SessionUpdateRequest;

/** Parameters of `sessions.query`. */
export type QuerySessionsParameters = SessionQueryRequest;

/** Parameters of `sessions.retrieve`. */
export type RetrieveSessionParameters = operations['retrieveSession']['parameters']['path'];

/** Parameters of `sessions.cancel`. */
export type CancelSessionParameters = operations['cancelSession']['parameters']['path'] & CancelSessionRequest;

/** Parameters of `sessions.events.query`. */
export type QuerySessionEventsParameters = operations['querySessionEvents']['parameters']['path'] & SessionEventQueryRequest;

/** Parameters of `oauth.authorize.retrieve`. */
export type RetrieveAuthorizationPageParameters = NonNullable<operations['retrieveAuthorizationPage']['parameters']['query']>;

/** Parameters of `oauth.authorize.create`. */
export type CreateAuthorizationParameters = AuthorizationDecisionRequest;

/** Parameters of `oauth.token.create`. */
export type CreateTokenParameters = OAuthTokenRequest;

/** Parameters of `oauth.introspect`. */
export type IntrospectTokenParameters = OAuthIntrospectRequest;

/** Parameters of `oauth.revoke`. */
export type RevokeTokenParameters = OAuthRevokeRequest;

/** Parameters of `webhookSubscriptions.list`. */
export type ListWebhookSubscriptionsParameters = NonNullable<operations['listWebhookSubscriptions']['parameters']['query']>;

/** Parameters of `webhookSubscriptions.create`. */
export type CreateWebhookSubscriptionParameters = WebhookSubscriptionCreateRequest;

/** Parameters of `webhookSubscriptions.retrieve`. */
export type RetrieveWebhookSubscriptionParameters = operations['retrieveWebhookSubscription']['parameters']['path'];

/** Parameters of `webhookSubscriptions.update`. */
export type UpdateWebhookSubscriptionParameters = operations['updateWebhookSubscription']['parameters']['path'] & WebhookSubscriptionUpdateRequest;

/** Parameters of `webhookSubscriptions.delete`. */
export type DeleteWebhookSubscriptionParameters = operations['deleteWebhookSubscription']['parameters']['path'];

/** Parameters of `webhookSubscriptions.verify`. */
export type VerifyWebhookSubscriptionParameters = operations['verifyWebhookSubscription']['parameters']['path'] & WebhookVerificationRequest;

/** Parameters of `webhookSubscriptions.resend`. */
export type SendWebhookVerificationParameters = operations['sendWebhookVerification']['parameters']['path'];

export interface BlocksMeetingNotesResource<Options> {
  /**
   * Create meeting notes: `POST /v1/blocks/meeting_notes`, operation `createMeetingNotes`.
   *
   * Creates meeting notes from a recording: a block with a transcript, a summary and a section for handwritten notes. The
   * recording is processed after the response, without a task: retrieve the block until its `status` is `notes_ready` or
   * `transcription_failed`.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createMeetingNotes/
   */
  create(parameters: CreateMeetingNotesParameters, options?: Options & Keyed): Call<MeetingNotesBlock>;
  /**
   * Query meeting notes: `POST /v1/blocks/meeting_notes/query`, operation `queryMeetingNotes`.
   *
   * Finds meeting notes by title, times and people.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/queryMeetingNotes/
   */
  query(parameters?: QueryMeetingNotesParameters, options?: Options & Keyed): Call<MeetingNotesResults>;
}

export interface BlocksChildrenResource<Options> {
  /**
   * List the children of a block: `GET /v1/blocks/{block_id}/children`, operation `listBlockChildren`.
   *
   * Lists the first level of blocks below a block, or the content of a page if `block_id` is the id of a page. The blocks are in
   * display order, without those in the trash. To read a whole page, also list the children of every block whose `has_children`
   * is true.
   * @see https://workspace.example/docs/operations/listBlockChildren/
   */
  list(parameters: ListBlockChildrenParameters, options?: Options): ListCall<BlockList, ItemOf<BlockList, 'results'>>;
  /**
   * Append children to a block: `PATCH /v1/blocks/{block_id}/children`, operation `appendBlockChildren`.
   *
   * Creates blocks below a block or page, in the order of `children`. Each block may contain up to two more levels. The guide "Nesting blocks"
   * lists which blocks may contain which others, and how deep one request may be.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/appendBlockChildren/
   */
  append(parameters: AppendBlockChildrenParameters, options?: Options & Keyed): Call<BlockList>;
}

export interface BlocksResource<Options> {
  readonly meetingNotes: BlocksMeetingNotesResource<Options>;
  /**
   * Retrieve a block: `GET /v1/blocks/{block_id}`, operation `retrieveBlock`.
   *
   * Returns a block with its content, but without its children. If `has_children` is true, list them with `listBlockChildren`.
   * @see https://workspace.example/docs/operations/retrieveBlock/
   */
  retrieve(parameters: RetrieveBlockParameters, options?: Options): Call<BlockOrPartialBlock>;
  /**
   * Update a block: `PATCH /v1/blocks/{block_id}`, operation `updateBlock`.
   *
   * Changes the content of a block, moves it to the trash, or restores it. Each field that is sent replaces the whole old value;
   * omitted fields keep theirs. A request without effect returns the block and does not change `last_edited_time` and
   * `last_edited_by`; any other sets them on the block and its page.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateBlock/
   */
  update(parameters: UpdateBlockParameters, options?: Options & Keyed): Call<BlockOrPartialBlock>;
  /**
   * Delete a block: `DELETE /v1/blocks/{block_id}`, operation `deleteBlock`.
   *
   * Moves a block to the trash. The block is no longer listed by its parent, but keeps its content, its position and its
   * `has_children`. To restore it, set `in_trash` to false with `updateBlock`.
   * @see https://workspace.example/docs/operations/deleteBlock/
   */
  delete(parameters: DeleteBlockParameters, options?: Options & Keyed): Call<BlockOrPartialBlock>;
  readonly children: BlocksChildrenResource<Options>;
}

export interface PagesPropertiesResource<Options> {
  /**
   * Retrieve a page property: `GET /v1/pages/{page_id}/properties/{property_id}`, operation `retrievePageProperty`.
   *
   * Returns the complete value of one property, without the limits of the page object. A page outside a data source has only the
   * property `title`.
   * @see https://workspace.example/docs/operations/retrievePageProperty/
   */
  retrieve(parameters: RetrievePagePropertyParameters, options?: Options): ListCall<PropertyItemOrList, ItemOf<PropertyItemOrList, 'results'>>;
}

export interface PagesMarkdownResource<Options> {
  /**
   * Retrieve a page as Markdown: `GET /v1/pages/{page_id}/markdown`, operation `retrievePageMarkdown`.
   *
   * Returns the content of a page as Markdown, without its title and properties. With the id of a block, returns that block and
   * everything below it. `MarkdownText` describes the dialect.
   * @see https://workspace.example/docs/operations/retrievePageMarkdown/
   */
  retrieve(parameters: RetrievePageMarkdownParameters, options?: Options): Call<PageMarkdown>;
  /**
   * Update a page as Markdown: `PATCH /v1/pages/{page_id}/markdown`, operation `updatePageMarkdown`.
   *
   * Edits the content of a page with one command on its Markdown, and returns the Markdown of the whole page after the change.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updatePageMarkdown/
   */
  update(parameters: UpdatePageMarkdownParameters, options?: Options & Keyed): Call<PageMarkdown | PendingAsyncTask>;
}

export interface PagesResource<Options> {
  /**
   * Create a page: `POST /v1/pages`, operation `createPage`.
   *
   * Creates a page below a page, as a row of a data source, or at the top level of the workspace, with properties, icon, cover
   * and content. The request succeeds or fails as a whole. Repeating it creates another page, unless both requests have the same
   * idempotency key.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createPage/
   */
  create(parameters?: CreatePageParameters, options?: Options & Keyed): Call<PageOrPartialPage | PendingAsyncTask>;
  /**
   * Retrieve a page: `GET /v1/pages/{page_id}`, operation `retrievePage`.
   *
   * Returns a page with its properties, but without its content. A page in the trash is also returned, with `in_trash` true.
   * @see https://workspace.example/docs/operations/retrievePage/
   */
  retrieve(parameters: RetrievePageParameters, options?: Options): Call<PageOrPartialPage>;
  /**
   * Update a page: `PATCH /v1/pages/{page_id}`, operation `updatePage`.
   *
   * Updates the properties, icon, cover, lock or archive state of a page, applies a template, erases the content, or moves the
   * page to the trash and back. Omitted fields keep their values. A property that is sent replaces its whole old value.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updatePage/
   */
  update(parameters: UpdatePageParameters, options?: Options & Keyed): Call<PageOrPartialPage>;
  /**
   * Move a page: `POST /v1/pages/{page_id}/move`, operation `movePage`.
   *
   * Moves a page and everything below it: below another page, or to the end of a data source. Its id and `url` do not change.
   * The connection must be able to see and edit both the page and its new parent.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/movePage/
   */
  move(parameters: MovePageParameters, options?: Options & Keyed): Call<PageOrPartialPage>;
  readonly properties: PagesPropertiesResource<Options>;
  readonly markdown: PagesMarkdownResource<Options>;
}

export interface DatabasesResource<Options> {
  /**
   * List databases: `GET /v1/databases`, operation `listDatabases`.
   *
   * Lists the databases that are shared directly with the connection, not those below a shared page. Only releases before
   * 2022-02-22 have this operation; later releases return 400 `invalid_request_url`. Find data sources with `search`, and
   * databases as `child_database` blocks of a page.
   * @see https://workspace.example/docs/operations/listDatabases/
   */
  list(parameters?: ListDatabasesParameters, options?: Options): ListCall<DatabaseList, ItemOf<DatabaseList, 'results'>>;
  /**
   * Create a database: `POST /v1/databases`, operation `createDatabase`.
   *
   * Creates a database, its first data source, and a table view named `Default view`. The response is the database;
   * `data_sources` contains the id of the data source.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createDatabase/
   */
  create(parameters: CreateDatabaseParameters, options?: Options & Keyed): Call<DatabaseOrPartialDatabase>;
  /**
   * Retrieve a database: `GET /v1/databases/{database_id}`, operation `retrieveDatabase`.
   *
   * Returns a database: its parent, title, icon, cover and data sources. To read its columns, retrieve a data source; to read
   * its rows, query one. A database in the trash is also returned, with `in_trash: true`.
   * @see https://workspace.example/docs/operations/retrieveDatabase/
   */
  retrieve(parameters: RetrieveDatabaseParameters, options?: Options): Call<DatabaseOrPartialDatabase>;
  /**
   * Update a database: `PATCH /v1/databases/{database_id}`, operation `updateDatabase`.
   *
   * Changes the fields that are sent; arrays are replaced as a whole. An empty body returns the database and does not change
   * `last_edited_time`. To rename a `child_database` block, update its database.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateDatabase/
   */
  update(parameters: UpdateDatabaseParameters, options?: Options & Keyed): Call<DatabaseOrPartialDatabase>;
  /**
   * Query a database: `POST /v1/databases/{database_id}/query`, operation `queryDatabase`.
   *
   * Queries the only data source of a database. This older path exists for callers that know only the database; use
   * `queryDataSource` instead. The body, the parameters and the rules are the same, but the `type` of the list is
   * `page_or_database`.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/queryDatabase/
   */
  query(parameters: QueryDatabaseParameters, options?: Options & Keyed): ListCall<DatabaseQueryResponse, ItemOf<DatabaseQueryResponse, 'results'>>;
}

export interface DataSourcesTemplatesResource<Options> {
  /**
   * List the templates of a data source: `GET /v1/data_sources/{data_source_id}/templates`, operation `listDataSourceTemplates`.
   *
   * Lists the templates for new rows of the data source, oldest first. A template is a page and can be read as one. It is not a
   * row: queries, rollups and views never return it. Only templates that the connection can read are listed.
   * @see https://workspace.example/docs/operations/listDataSourceTemplates/
   */
  list(parameters: ListDataSourceTemplatesParameters, options?: Options): ListCall<TemplateList, ItemOf<TemplateList, 'templates'>>;
}

export interface DataSourcesResource<Options> {
  /**
   * Create a data source: `POST /v1/data_sources`, operation `createDataSource`.
   *
   * Adds a data source to a database, as the last one in its list, and a table view that shows it. The data source does not
   * share the title and description of the database: its description is initially empty.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createDataSource/
   */
  create(parameters: CreateDataSourceParameters, options?: Options & Keyed): Call<DataSourceOrPartialDataSource>;
  /**
   * Retrieve a data source: `GET /v1/data_sources/{data_source_id}`, operation `retrieveDataSource`.
   *
   * Returns a data source with its columns. Relations whose target is not shared with the connection are omitted from
   * `properties`. A data source in the trash is also returned.
   * @see https://workspace.example/docs/operations/retrieveDataSource/
   */
  retrieve(parameters: RetrieveDataSourceParameters, options?: Options): Call<DataSourceOrPartialDataSource>;
  /**
   * Update a data source: `PATCH /v1/data_sources/{data_source_id}`, operation `updateDataSource`.
   *
   * Changes the title, description, icon, columns, database or trash state of a data source. Omitted fields keep their values.
   * The request succeeds or fails as a whole.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateDataSource/
   */
  update(parameters: UpdateDataSourceParameters, options?: Options & Keyed): Call<DataSourceOrPartialDataSource>;
  /**
   * Query a data source: `POST /v1/data_sources/{data_source_id}/query`, operation `queryDataSource`.
   *
   * Returns the rows that match a filter, in the requested order. Rows are pages. Only rows that the connection can read are
   * returned; sharing a page or database above them is enough. Templates are never returned.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/queryDataSource/
   */
  query(parameters: QueryDataSourceParameters, options?: Options & Keyed): ListCall<DataSourceQueryResponse, ItemOf<DataSourceQueryResponse, 'results'>>;
  readonly templates: DataSourcesTemplatesResource<Options>;
}

export interface ViewsQueriesResource<Options> {
  /**
   * Query a view: `POST /v1/views/{view_id}/queries`, operation `createViewQuery`.
   *
   * Runs a view and returns the first page of its rows. The filter and quick filters of the view select the rows, and its sorts
   * order them. The ids of the rows are stored for 15 minutes; `listViewQueryResults` returns further pages. Later changes of
   * the view or its rows do not affect them.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createViewQuery/
   */
  create(parameters: CreateViewQueryParameters, options?: Options & Keyed): ListCall<ViewQuery, ItemOf<ViewQuery, 'results'>>;
  /**
   * List the results of a view query: `GET /v1/views/{view_id}/queries/{query_id}`, operation `listViewQueryResults`.
   *
   * Returns a page of the ids that a view query has stored, in the order of the view at the time of the query. Call
   * `retrievePage` for the content of a row. Rows that have since been moved to the trash are included. Without a cursor, the
   * list starts at the first id. After 15 minutes, or for another view or connection, the response is 404 `object_not_found`.
   * @see https://workspace.example/docs/operations/listViewQueryResults/
   */
  list(parameters: ListViewQueryResultsParameters, options?: Options): ListCall<ViewQueryResultList, ItemOf<ViewQueryResultList, 'results'>>;
  /**
   * Delete a view query: `DELETE /v1/views/{view_id}/queries/{query_id}`, operation `deleteViewQuery`.
   *
   * Deletes a view query before its 15 minutes are over. The view and its rows are not affected. A deleted query, or a query of
   * another view or connection, returns 404 `object_not_found`.
   * @see https://workspace.example/docs/operations/deleteViewQuery/
   */
  delete(parameters: DeleteViewQueryParameters, options?: Options & Keyed): Call<DeletedViewQuery>;
}

export interface ViewsResource<Options> {
  /**
   * List views: `GET /v1/views`, operation `listDatabaseViews`.
   *
   * Lists the views of a database or a data source, as ids, in the order of the tabs and then by creation time.
   * @see https://workspace.example/docs/operations/listDatabaseViews/
   */
  list(parameters?: ListDatabaseViewsParameters, options?: Options): ListCall<ViewList, ItemOf<ViewList, 'results'>>;
  /**
   * Create a view: `POST /v1/views`, operation `createView`.
   *
   * Creates a view: as a tab of a database, as a widget of a dashboard, or in a new linked database on a page.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createView/
   */
  create(parameters: CreateViewParameters, options?: Options & Keyed): Call<ViewResponse>;
  /**
   * Retrieve a view: `GET /v1/views/{view_id}`, operation `retrieveView`.
   *
   * Returns a view with its layout, filter, sorts and quick filters. A deleted view, or one that the caller cannot see, returns
   * 404 `object_not_found`.
   * @see https://workspace.example/docs/operations/retrieveView/
   */
  retrieve(parameters: RetrieveViewParameters, options?: Options): Call<ViewResponse>;
  /**
   * Update a view: `PATCH /v1/views/{view_id}`, operation `updateView`.
   *
   * Changes the name, filter, sorts, quick filters or layout of a view. Omitted fields keep their values, and `{}` changes
   * nothing.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateView/
   */
  update(parameters: UpdateViewParameters, options?: Options & Keyed): Call<ViewResponse>;
  /**
   * Delete a view: `DELETE /v1/views/{view_id}`, operation `deleteView`.
   *
   * Permanently deletes a view; views have no trash. Rows are not affected.
   * @see https://workspace.example/docs/operations/deleteView/
   */
  delete(parameters: DeleteViewParameters, options?: Options & Keyed): Call<PartialView>;
  readonly queries: ViewsQueriesResource<Options>;
}

export interface CommentsResource<Options> {
  /**
   * List comments: `GET /v1/comments`, operation `listComments`.
   *
   * Lists the open comments on a page or block, oldest first. The list of a page does not include comments on its blocks:
   * request each block separately. A page has one discussion; a block may have several, which are distinguished by
   * `discussion_id`. Comments of resolved discussions are omitted.
   * @see https://workspace.example/docs/operations/listComments/
   */
  list(parameters: ListCommentsParameters, options?: Options): ListCall<CommentList, ItemOf<CommentList, 'results'>>;
  /**
   * Create a comment: `POST /v1/comments`, operation `createComment`.
   *
   * Creates a comment on a page or block (`parent`), or a reply in a discussion (`discussion_id`). A reply has the parent of its
   * discussion. Discussions about a range of text can be replied to, but not started.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createComment/
   */
  create(parameters: CreateCommentParameters, options?: Options & Keyed): Call<CommentOrPartialComment>;
  /**
   * Retrieve a comment: `GET /v1/comments/{comment_id}`, operation `retrieveComment`.
   *
   * Returns a comment. A deleted comment, or one on a page or block that the caller cannot see, returns 404 `object_not_found`.
   * URLs of attachments are signed for each response and valid for one hour.
   * @see https://workspace.example/docs/operations/retrieveComment/
   */
  retrieve(parameters: RetrieveCommentParameters, options?: Options): Call<Comment>;
  /**
   * Update a comment: `PATCH /v1/comments/{comment_id}`, operation `updateComment`.
   *
   * Replaces the text of a comment. Attachments, display name and discussion do not change. The comment's `last_edited_time` is
   * set; that of the page is not.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateComment/
   */
  update(parameters: UpdateCommentParameters, options?: Options & Keyed): Call<CommentOrPartialComment>;
  /**
   * Delete a comment: `DELETE /v1/comments/{comment_id}`, operation `deleteComment`.
   *
   * Permanently deletes a comment and returns it as it was. Deleting the last comment of a discussion also deletes the
   * discussion.
   * @see https://workspace.example/docs/operations/deleteComment/
   */
  delete(parameters: DeleteCommentParameters, options?: Options & Keyed): Call<CommentOrPartialComment>;
}

export interface FileUploadsResource<Options> {
  /**
   * List file uploads: `GET /v1/file_uploads`, operation `listFileUploads`.
   *
   * Lists the caller's uploads, newest first. Any token may call it; uploads of other callers are never listed. `start_cursor`
   * may also be the id of one of the caller's uploads; the list then begins with it.
   * @see https://workspace.example/docs/operations/listFileUploads/
   */
  list(parameters?: ListFileUploadsParameters, options?: Options): ListCall<FileUploadList, ItemOf<FileUploadList, 'results'>>;
  /**
   * Create a file upload: `POST /v1/file_uploads`, operation `createFileUpload`.
   *
   * Creates an upload, to which a file can then be sent. `mode` determines how:
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createFileUpload/
   */
  create(parameters?: CreateFileUploadParameters, options?: Options & Keyed): Call<FileUploadObject>;
  /**
   * Retrieve a file upload: `GET /v1/file_uploads/{file_upload_id}`, operation `retrieveFileUpload`.
   *
   * Returns an upload, for example to follow its status. Any token may retrieve its own uploads; unknown uploads and those of
   * other callers return 404 `object_not_found`.
   * @see https://workspace.example/docs/operations/retrieveFileUpload/
   */
  retrieve(parameters: RetrieveFileUploadParameters, options?: Options): Call<FileUploadObject>;
  /**
   * Send a file or a part of it: `POST /v1/file_uploads/{file_upload_id}/send`, operation `sendFileUpload`.
   *
   * Sends the bytes of a `pending` upload as a form, at most 20 MiB of the file in one request.
   *
   * The body has at most 21,037,056 bytes.
   * @see https://workspace.example/docs/operations/sendFileUpload/
   */
  send(parameters: SendFileUploadParameters, options?: Options & Keyed): Call<FileUploadObject>;
  /**
   * Complete a multi-part upload: `POST /v1/file_uploads/{file_upload_id}/complete`, operation `completeFileUpload`.
   *
   * Joins the parts of a multi-part upload. The request has no body. The status becomes `uploaded`.
   * @see https://workspace.example/docs/operations/completeFileUpload/
   */
  complete(parameters: CompleteFileUploadParameters, options?: Options & Keyed): Call<FileUploadObject>;
}

export interface UsersMeResource<Options> {
  /**
   * Retrieve the token's own user: `GET /v1/users/me`, operation `retrieveMe`.
   *
   * Returns the user that the token acts as. No capability is needed, so this is the simplest way to test a token.
   * @see https://workspace.example/docs/operations/retrieveMe/
   */
  retrieve(parameters?: Record<string, never>, options?: Options): Call<User>;
}

export interface UsersResource<Options> {
  /**
   * List users: `GET /v1/users`, operation `listUsers`.
   *
   * Lists the members and bots of the workspace: people first, then bots, each sorted by when they joined and then by id. Guests
   * are omitted; retrieve them by id. Filtering by name or email address is not possible, and no page needs to be shared.
   * @see https://workspace.example/docs/operations/listUsers/
   */
  list(parameters?: ListUsersParameters, options?: Options): ListCall<UserList, ItemOf<UserList, 'results'>>;
  readonly me: UsersMeResource<Options>;
  /**
   * Retrieve a user: `GET /v1/users/{user_id}`, operation `retrieveUser`.
   *
   * Returns a person or bot: a member, a bot, or a guest who can see a page that the connection also sees. The user information
   * setting determines what is returned, as for `listUsers`; with the setting "none", the response is 403 `restricted_resource`.
   * A bot contains its `BotInfo` only if it is the caller's own. The bot of an agent contains `agent_id`.
   * @see https://workspace.example/docs/operations/retrieveUser/
   */
  retrieve(parameters: RetrieveUserParameters, options?: Options): Call<User>;
}

export interface CustomEmojisResource<Options> {
  /**
   * List custom emojis: `GET /v1/custom_emojis`, operation `listCustomEmojis`.
   *
   * Lists the custom emojis of the workspace, sorted by name and then by id. People create and delete them in the workspace; the
   * API only reads them. No page needs to be shared.
   * @see https://workspace.example/docs/operations/listCustomEmojis/
   */
  list(parameters?: ListCustomEmojisParameters, options?: Options): ListCall<CustomEmojiList, ItemOf<CustomEmojiList, 'results'>>;
}

export interface AsyncTasksResource<Options> {
  /**
   * Retrieve an async task: `GET /v1/async_tasks/{task_id}`, operation `retrieveAsyncTask`.
   *
   * Returns the status of a task, and its result or error when it is finished. Until then, request it again after
   * `poll_after_seconds`; the header `Retry-After` contains the same number.
   * @see https://workspace.example/docs/operations/retrieveAsyncTask/
   */
  retrieve(parameters: RetrieveAsyncTaskParameters, options?: Options): Call<AsyncTask>;
}

export interface AgentsBatchResource<Options> {
  /**
   * Change several agents: `POST /v1/agents/batch`, operation `createAgentBatch`.
   *
   * Accepts changes of agents and applies them in the background, in the given order. The response is a task; its `result` is an
   * `agent_batch_result` with one entry for each operation.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createAgentBatch/
   */
  create(parameters: CreateAgentBatchParameters, options?: Options & Keyed): Call<PendingAsyncTask>;
}

export interface AgentsStatusResource<Options> {
  /**
   * Enable or disable an agent: `PATCH /v1/agents/{agent_id}/status`, operation `updateAgentStatus`.
   *
   * Disables an agent, or enables an agent that was disabled through the API. Requires edit access to it; otherwise the response
   * is 403 `restricted_resource`.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateAgentStatus/
   */
  update(parameters: UpdateAgentStatusParameters, options?: Options & Keyed): Call<AgentStatusResult>;
}

export interface AgentsCreditLimitResource<Options> {
  /**
   * Set an agent's credit limit: `PATCH /v1/agents/{agent_id}/credit_limit`, operation `updateAgentCreditLimit`.
   *
   * Sets the agent's own credit limit for a billing period, or removes it with null. Requires full access to the agent;
   * otherwise the response is 403 `restricted_resource`.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateAgentCreditLimit/
   */
  update(parameters: UpdateAgentCreditLimitParameters, options?: Options & Keyed): Call<AgentCreditLimitResult>;
}

export interface AgentsInsightsResource<Options> {
  /**
   * Retrieve an agent's insights: `GET /v1/agents/{agent_id}/insights`, operation `retrieveAgentInsights`.
   *
   * Returns an agent's activity and usage in a period. Without both `start_time` and `end_time`, the period is the current
   * billing period, which is the calendar month in UTC. Insights of a deleted agent can still be read. Without full access to
   * the agent, the credit limit is `hidden`.
   * @see https://workspace.example/docs/operations/retrieveAgentInsights/
   */
  retrieve(parameters: RetrieveAgentInsightsParameters, options?: Options): Call<AgentInsights>;
}

export interface AgentsResource<Options> {
  /**
   * List agents: `GET /v1/agents`, operation `listAgents`.
   *
   * Lists the agents that the caller can see. This is the older operation; `queryAgents` has more filters and sort criteria.
   * @see https://workspace.example/docs/operations/listAgents/
   */
  list(parameters?: ListAgentsParameters, options?: Options): ListCall<AgentList, ItemOf<AgentList, 'results'>>;
  /**
   * Query agents: `POST /v1/agents/query`, operation `queryAgents`.
   *
   * Finds agents by text and by conditions.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/queryAgents/
   */
  query(parameters?: QueryAgentsParameters, options?: Options & Keyed): ListCall<AgentQueryList, ItemOf<AgentQueryList, 'results'>>;
  readonly batch: AgentsBatchResource<Options>;
  /**
   * Retrieve an agent: `GET /v1/agents/{agent_id}`, operation `retrieveAgent`.
   *
   * Returns an agent of any type. A deleted agent is also returned, with `status` `deleted`, as long as it can be restored.
   * @see https://workspace.example/docs/operations/retrieveAgent/
   */
  retrieve(parameters: RetrieveAgentParameters, options?: Options): Call<AgentObject>;
  /**
   * Delete an agent: `DELETE /v1/agents/{agent_id}`, operation `deleteAgent`.
   *
   * Deletes an active or disabled agent. Requires full access to it; otherwise the response is 403 `restricted_resource`.
   * @see https://workspace.example/docs/operations/deleteAgent/
   */
  delete(parameters: DeleteAgentParameters, options?: Options & Keyed): Call<AgentDeleteResult>;
  readonly status: AgentsStatusResource<Options>;
  readonly creditLimit: AgentsCreditLimitResource<Options>;
  readonly insights: AgentsInsightsResource<Options>;
}

export interface SessionsEventsResource<Options> {
  /**
   * Query a session's events: `POST /v1/sessions/{session_id}/events/query`, operation `querySessionEvents`.
   *
   * Returns the committed events of a session, by default from first to last.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/querySessionEvents/
   */
  query(parameters: QuerySessionEventsParameters, options?: Options & Keyed): ListCall<SessionEventList, ItemOf<SessionEventList, 'results'>>;
}

export interface SessionsResource<Options> {
  /**
   * Talk to an agent: `POST /v1/sessions`, operation `createSession`.
   *
   * Starts a session with a message, continues one, decides on the agent's proposals, or follows a session.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createSession/
   */
  create(parameters: CreateSessionParameters, options?: Options & Keyed): Call<Session>;
  /**
   * Query sessions: `POST /v1/sessions/query`, operation `querySessions`.
   *
   * Finds sessions by title and by conditions; by default, the last changed first. The results are the sessions that the caller
   * or its member started, and the sessions of agents that the caller has access to, including runs of triggers.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/querySessions/
   */
  query(parameters?: QuerySessionsParameters, options?: Options & Keyed): ListCall<SessionList, ItemOf<SessionList, 'results'>>;
  /**
   * Retrieve a session: `GET /v1/sessions/{session_id}`, operation `retrieveSession`.
   *
   * Returns a session: its status, its creator, and its usage. Poll it, or follow it as a stream with `createSession` and
   * `continue_from`. `querySessionEvents` returns its events.
   * @see https://workspace.example/docs/operations/retrieveSession/
   */
  retrieve(parameters: RetrieveSessionParameters, options?: Options): Call<SessionDetail>;
  /**
   * Cancel a turn: `POST /v1/sessions/{session_id}/cancel`, operation `cancelSession`.
   *
   * Cancels the current turn: one that is `queued`, `in_progress` or `requires_action`. With `event_id`, cancels it only if the
   * event belongs to it. A canceled session accepts new messages.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/cancelSession/
   */
  cancel(parameters: CancelSessionParameters, options?: Options & Keyed): Call<Session>;
  readonly events: SessionsEventsResource<Options>;
}

export interface OauthAuthorizeResource<Options> {
  /**
   * Retrieve the consent page: `GET /v1/oauth/authorize`, operation `retrieveAuthorizationPage`.
   *
   * Returns the page on which a user authorizes a public connection. It is opened in the user's browser. The page shows the
   * connection's name, icon, developer and capabilities, and lets the user choose a workspace, and search and select pages and
   * databases. If the connection has a template page, the user may duplicate it instead. The user can select items to which they
   * have full access.
   * @see https://workspace.example/docs/operations/retrieveAuthorizationPage/
   */
  retrieve(parameters: RetrieveAuthorizationPageParameters, options?: Options): Call<HtmlPage | undefined>;
  /**
   * Decide on an authorization: `POST /v1/oauth/authorize`, operation `createAuthorization`.
   *
   * Stores the member's decision and redirects the browser to the redirect URI. Only the consent page sends this request, never
   * a connection.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createAuthorization/
   */
  create(parameters: CreateAuthorizationParameters, options?: Options): Call<undefined>;
}

export interface OauthTokenResource<Options> {
  /**
   * Create or refresh tokens: `POST /v1/oauth/token`, operation `createToken`.
   *
   * Returns a pair of tokens: the first one for the code of an authorization (`authorization_code`), later ones for the refresh
   * token of the latest response (`refresh_token`).
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createToken/
   */
  create(parameters: CreateTokenParameters, options?: Options): Call<OAuthTokenResponse>;
}

export interface OauthResource<Options> {
  readonly authorize: OauthAuthorizeResource<Options>;
  readonly token: OauthTokenResource<Options>;
  /**
   * Introspect a token: `POST /v1/oauth/introspect`, operation `introspectToken`.
   *
   * Returns whether a token of the calling client is valid, and its capabilities. This does not extend or change the token.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/introspectToken/
   */
  introspect(parameters: IntrospectTokenParameters, options?: Options): Call<OAuthIntrospectResponse>;
  /**
   * Revoke a token: `POST /v1/oauth/revoke`, operation `revokeToken`.
   *
   * Revokes a pair of tokens: the token that is sent, and the access or refresh token that belongs to it. From then on, requests
   * with either receive 401; running requests are completed. What the user has shared remains shared until the connection is
   * removed from the workspace.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/revokeToken/
   */
  revoke(parameters: RevokeTokenParameters, options?: Options): Call<OAuthRevokeResponse>;
}

export interface WebhookSubscriptionsResource<Options> {
  /**
   * List webhook subscriptions: `GET /v1/webhook_subscriptions`, operation `listWebhookSubscriptions`.
   *
   * Lists the connection's subscriptions, oldest first.
   * @see https://workspace.example/docs/operations/listWebhookSubscriptions/
   */
  list(parameters?: ListWebhookSubscriptionsParameters, options?: Options): ListCall<WebhookSubscriptionList, ItemOf<WebhookSubscriptionList, 'results'>>;
  /**
   * Create a webhook subscription: `POST /v1/webhook_subscriptions`, operation `createWebhookSubscription`.
   *
   * Creates a subscription, which is pending until its URL is verified. The service sends a verification token to the URL (see
   * the webhook `verification`), and the owner of the receiver returns it with `verifyWebhookSubscription`. The response does
   * not wait for the receiver. A connection may have 10 subscriptions; for more, the response is 400 `validation_error` at
   * `body`.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/createWebhookSubscription/
   */
  create(parameters: CreateWebhookSubscriptionParameters, options?: Options & Keyed): Call<WebhookSubscription>;
  /**
   * Retrieve a webhook subscription: `GET /v1/webhook_subscriptions/{subscription_id}`, operation `retrieveWebhookSubscription`.
   *
   * Returns a subscription, for example to check its verification.
   * @see https://workspace.example/docs/operations/retrieveWebhookSubscription/
   */
  retrieve(parameters: RetrieveWebhookSubscriptionParameters, options?: Options): Call<WebhookSubscription>;
  /**
   * Update a webhook subscription: `PATCH /v1/webhook_subscriptions/{subscription_id}`, operation `updateWebhookSubscription`.
   *
   * Changes a subscription. New values of `event_types` and `api_version` apply to later events.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/updateWebhookSubscription/
   */
  update(parameters: UpdateWebhookSubscriptionParameters, options?: Options & Keyed): Call<WebhookSubscription>;
  /**
   * Delete a webhook subscription: `DELETE /v1/webhook_subscriptions/{subscription_id}`, operation `deleteWebhookSubscription`.
   *
   * Permanently deletes a subscription: pending deliveries are dropped, and the token becomes invalid. Deleting it again returns
   * 404 `object_not_found`, unless the request has the same idempotency key.
   * @see https://workspace.example/docs/operations/deleteWebhookSubscription/
   */
  delete(parameters: DeleteWebhookSubscriptionParameters, options?: Options & Keyed): Call<DeletedWebhookSubscription>;
  /**
   * Verify a webhook subscription: `POST /v1/webhook_subscriptions/{subscription_id}/verify`, operation `verifyWebhookSubscription`.
   *
   * Verifies a subscription with the token that was sent to its URL, which makes it active. A wrong token returns 400
   * `validation_error` at `body.verification_token`. After 10 wrong tokens, the token becomes invalid; request a new one with
   * `sendWebhookVerification`. If the subscription is already verified, the right token changes nothing, and a wrong one is
   * still rejected.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/verifyWebhookSubscription/
   */
  verify(parameters: VerifyWebhookSubscriptionParameters, options?: Options): Call<WebhookSubscription>;
  /**
   * Send the verification token again: `POST /v1/webhook_subscriptions/{subscription_id}/resend`, operation `sendWebhookVerification`.
   *
   * Sends the verification request again, with the same token, or with a new one if the token is invalid. The request has no
   * body, and its response does not wait for the receiver. If verification is not pending, the response is 400
   * `validation_error`.
   * @see https://workspace.example/docs/operations/sendWebhookVerification/
   */
  resend(parameters: SendWebhookVerificationParameters, options?: Options & Keyed): Call<WebhookSubscription>;
}

export interface Resources<Options> {
  readonly blocks: BlocksResource<Options>;
  readonly pages: PagesResource<Options>;
  readonly databases: DatabasesResource<Options>;
  readonly dataSources: DataSourcesResource<Options>;
  readonly views: ViewsResource<Options>;
  readonly comments: CommentsResource<Options>;
  readonly fileUploads: FileUploadsResource<Options>;
  readonly users: UsersResource<Options>;
  /**
   * Search by title: `POST /v1/search`, operation `search`.
   *
   * Finds pages and data sources by title. It searches everything that is shared with the caller: shared pages and databases,
   * the pages below them, and the rows of their data sources. It searches neither the content of pages nor the values of other
   * properties.
   *
   * The body has at most 512,000 bytes.
   * @see https://workspace.example/docs/operations/search/
   */
  search(parameters?: SearchParameters, options?: Options & Keyed): ListCall<SearchResultList, ItemOf<SearchResultList, 'results'>>;
  readonly customEmojis: CustomEmojisResource<Options>;
  readonly asyncTasks: AsyncTasksResource<Options>;
  readonly agents: AgentsResource<Options>;
  readonly sessions: SessionsResource<Options>;
  readonly oauth: OauthResource<Options>;
  readonly webhookSubscriptions: WebhookSubscriptionsResource<Options>;
}
