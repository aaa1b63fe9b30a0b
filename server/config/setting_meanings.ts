import type { settings } from './settings.ts'

/**
 * The effect of each setting. The table in OPERATIONS.md is made from it, and a test compares them. Markdown, without a full stop at the
 * end.
 */
export const settingMeanings: Readonly<Record<keyof typeof settings, string>> = {
  HOST: 'Address to listen on. One that other machines can reach needs TLS, a trusted proxy, or `ALLOW_PLAIN_HTTP`',
  PORT: 'Port to listen on; `0` picks a free one',
  BASE_URL:
    'Start of all links in responses. Defaults to the address that the service listens on; behind a proxy, set the public address',
  DATABASE_URL: '`sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/database`',
  DATABASE_LISTEN_URL:
    'Address of the PostgreSQL server itself, if `DATABASE_URL` leads to a pooler: processes notify each other there. See [PostgreSQL](#postgresql)',
  FILES_URL:
    'Storage of uploaded files. Defaults to `file:./data/files`; with `sqlite::memory:`, to `file::temporary:`, which is deleted when the process ends. See [Files](#files)',
  FILE_BYTES_MAX: 'Largest upload, in bytes; bots see it in `workspace_limits`',
  FILE_IMPORT_HOSTS:
    'Hosts without a public address that files may be imported from, such as `files.internal` or `files.internal:8443`',
  TRANSCRIPTION_URL:
    'Service that transcribes recordings. Without it, meeting notes need a written transcript. See [Meeting notes](#meeting-notes)',
  TRANSCRIPTION_KEY: 'Key for that service, sent as `Authorization: Bearer …`',
  WEBHOOK_PRIVATE_HOSTS:
    'Hosts without a public address that webhooks may be sent to, such as `hooks.internal:8443`. See [Webhooks](#webhooks)',
  QUOTA_PAGES: 'Maximum number of pages in a workspace, including rows of databases; unlimited unless set. See [Quotas](#quotas)',
  QUOTA_BLOCKS: 'Maximum number of blocks in a workspace, other than pages',
  QUOTA_NOTES: 'Maximum number of meeting notes in a workspace',
  QUOTA_FILES: 'Maximum number of files in a workspace, including uploads that are not attached',
  QUOTA_BYTES: 'Maximum total bytes of the files in a workspace',
  WORKERS: 'Number of processes that serve requests; `auto` starts one per core. See [Workers](#workers)',
  HEADER_BRAND: "Second prefix for the protocol's headers: with `Acme`, `Acme-Version` works too. See [Branding](#branding)",
  SITE_FOLDER:
    "Folder of a brand's site, which replaces the service's own reference, contract and schemas. See [Branding](#branding)",
  MCP_PATH:
    'Path of the tools for AI assistants, which are loaded at their first request; `off` hides them. See [Assistants](#assistants)',
  BOOTSTRAP_TOKEN: 'Token of the demo connection: 16 to 80 letters, digits or `_`. If unset, one is generated and shown once',
  BOOTSTRAP_SAMPLE:
    'What an empty database gets: a demo workspace (`true`), the same without content (`empty`), or nothing (`false`)',
  TLS_CERT: 'PEM file with the certificate and its chain. With `TLS_KEY`, the service serves HTTPS itself',
  TLS_KEY: "PEM file with the certificate's private key",
  TRUST_PROXY: 'Proxies whose forwarding headers are trusted. See [Behind a proxy](#behind-a-proxy)',
  ALLOW_PLAIN_HTTP: 'Serve plain HTTP where it would otherwise be refused',
  CORS_ALLOWED_ORIGINS:
    'Origins whose pages may call the API from a browser, such as `https://app.example,http://localhost:3000`; `*` allows all',
  RATE_LIMIT:
    '`<requests>/<seconds>` for each connection or member, as in `180/60`; `off` turns off all rate limits except those on sign-in',
  RATE_LIMIT_WORKSPACE: '`<requests>/<seconds>` for each workspace; ten times `RATE_LIMIT` unless set',
  REDIS_URL: 'Redis server that counts requests for several machines, to take load off PostgreSQL. `doctor` tests it',
  REQUESTS_IN_FLIGHT_MAX: 'API requests that one process handles at a time; further ones get 529 at once. See [Load](#load)',
  OVERLOAD_RETRY_SECONDS: '`Retry-After` of 529 responses',
  BODY_GRACE_SECONDS: 'Time a request body may take before its minimum rate applies',
  BODY_BYTES_PER_SECOND_MIN:
    'Minimum rate of a request body. A slower one gets 400 `invalid_request`, and its connection is closed',
  ANSWER_GRACE_SECONDS: 'Time a client may take to read a response before its minimum rate applies',
  ANSWER_BYTES_PER_SECOND_MIN: 'Minimum rate at which a client reads a response. The connection of a slower client is closed',
  CONNECTIONS_MAX:
    'Maximum number of TCP connections of a process; a single address may have a quarter of them. See [Load](#load)',
  REQUEST_SECONDS_MAX: 'Longest time a request may take, up to 60 seconds. After that it gets 503 and changes nothing',
  STREAM_SECONDS_MAX: 'Longest time an event stream stays open, up to 300 seconds; clients then reconnect',
  STREAM_HEARTBEAT_SECONDS: 'Time between the comments that keep a quiet event stream open',
  STOP_SECONDS_MAX: 'How long a service that is shutting down waits for requests in flight before it aborts them',
  CONSOLE: 'Whether to serve `/console`, the pages on which people manage their access. See [The console](#the-console)',
  METRICS:
    'Who may read `/metrics`: clients on this machine (`loopback`), clients with `METRICS_TOKEN` (`token`), nobody (`off`)',
  METRICS_TOKEN: 'Token for `/metrics`: 16 to 80 letters, digits or `_`',
  AGENT_MODEL_URL:
    'Base address of a chat-completions service for agents, such as `https://models.example/v1`. See [Agents](#agents)',
  AGENT_MODEL_NAME: "The service's model, or several as `public=remote`, separated by commas; the first one is the default",
  AGENT_MODEL_KEY: 'Key for the service, sent as a bearer token',
  AGENT_MODEL_HEADERS: 'Further headers for requests to the service, as a JSON object',
  AGENT_MODEL_SECONDS_MAX: 'Longest time one call of a model may take, including its whole response',
  PREFER_FAULTS:
    'For development: requests may cause faults by a `Prefer` header, such as `Prefer: code=429`. Only with a loopback address',
  CONTROL_HOST: 'Address of the control API of a test service, which requires no credentials. Change it only inside a container',
  CONTROL_PORT: 'Port of the control API; `0` picks a free one',
  AUDIT_LOG:
    'What the audit log contains: `acts` for administration only, `writes` also for each write through the API. See [Audit log](#audit-log)',
  AUDIT_LOG_DAYS: 'Days after which entries of the audit log are deleted',
  REFUSED_BODIES:
    'Whether the bodies of refused requests are kept for `request show`: JSON up to 16 KiB, without secrets. See [Logs](#logs)',
  LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
}
