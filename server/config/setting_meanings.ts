import type { settings } from './settings.ts'

/** What each setting does: the table in OPERATIONS.md is made of this, and a test compares them. Markdown, without a full stop at the end. */
export const settingMeanings: Readonly<Record<keyof typeof settings, string>> = {
  HOST: 'Address to listen on. One that other machines can reach needs TLS, a trusted proxy, or `ALLOW_PLAIN_HTTP`',
  PORT: 'Port to listen on; `0` picks a free one',
  BASE_URL:
    'Start of all links in responses. Defaults to the address the service listens on; behind a proxy, set it to the public address',
  DATABASE_URL: '`sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/database`',
  FILES_URL:
    'Where uploaded files are stored: `file:<folder>`, `s3://…`, or `file::temporary:` for as long as the process lives. Defaults to `file:./data/files`, or to `file::temporary:` with `sqlite::memory:`. See [Files](#files)',
  FILE_BYTES_MAX: 'Largest upload, in bytes; bots see it in `workspace_limits`',
  FILE_IMPORT_HOSTS:
    'Hosts that files may be imported from although their addresses are not public, such as `files.internal` or `files.internal:8443`',
  TRANSCRIPTION_URL:
    'Service that transcribes recordings for meeting notes. Without it, meeting notes need a written transcript. See [Meeting notes](#meeting-notes)',
  TRANSCRIPTION_KEY: 'Key for that service, sent as `Authorization: Bearer …`',
  WEBHOOK_PRIVATE_HOSTS:
    'Hosts that webhooks may be sent to although their addresses are not public, such as `hooks.internal` or `hooks.internal:8443`. See [Webhooks](#webhooks)',
  QUOTA_PAGES: 'Pages that a workspace may hold, with rows of databases; unlimited unless set. See [Quotas](#quotas)',
  QUOTA_BLOCKS: 'Blocks that a workspace may hold beside its pages',
  QUOTA_NOTES: 'Meeting notes that a workspace may hold',
  QUOTA_FILES: 'Files that a workspace may hold, with uploads that have not been attached yet',
  QUOTA_BYTES: 'Bytes that the files of a workspace may have together',
  WORKERS: 'Number of processes that serve requests; `auto` starts one per core. See [Workers](#workers)',
  HEADER_BRAND:
    "A second prefix for the protocol's own headers: with `Acme`, `Acme-Version` and `Acme-Beta` work beside the `Service-` headers, in requests and responses, and webhooks and file imports name it as their `User-Agent`. Icons at `https://www.acme.example/icons/…` become native icons. Values that carry the maker's name are also accepted and always answered with the brand's: `acme_ai`, `acme formula`, `acme_user`, `disabled_by_acme`, and `acme` as the type of an agent's connection to the workspace",
  SITE_FOLDER:
    "Folder of a brand's site, made by `npm run docs -- --overlay brand.yaml --out site`. Its reference, contract and schemas replace the service's own. Set `HEADER_BRAND` to the brand's word as well",
  BOOTSTRAP_TOKEN:
    'Token of the demo connection: 16 to 80 letters, digits or `_`. If unset, one is generated and shown once; if set, it is never shown. A new value replaces the old token',
  BOOTSTRAP_SAMPLE:
    'What an empty database gets: `true`, a demo workspace with people, a connection and sample content; `empty`, the same without content; `false`, nothing',
  TLS_CERT: 'PEM file with the certificate and its chain. With `TLS_KEY`, the service serves HTTPS itself',
  TLS_KEY: "PEM file with the certificate's private key",
  TRUST_PROXY: 'Proxies whose forwarding headers are trusted. See [Behind a proxy](#behind-a-proxy)',
  ALLOW_PLAIN_HTTP: 'Serve plain HTTP where it would otherwise be refused',
  CORS_ALLOWED_ORIGINS:
    'Origins whose pages may call the API from a browser, such as `https://app.example,http://localhost:3000`; `*` allows all. None by default',
  RATE_LIMIT:
    'Requests per number of seconds, for each connection or member: `180/60` allows 180 in 60 seconds. `off` turns off all rate limits except those on sign-in. A connection may have its own limit (`connection update --rate-limit`)',
  RATE_LIMIT_WORKSPACE: 'Requests per number of seconds, for each workspace; ten times `RATE_LIMIT` unless set',
  REDIS_URL:
    'Redis server that counts requests, for deployments in which several machines share a database and the counting should not load PostgreSQL. `doctor` tests it',
  REQUESTS_IN_FLIGHT_MAX: 'API requests that one process handles at a time; further ones get 529 at once. See [Load](#load)',
  OVERLOAD_RETRY_SECONDS: '`Retry-After` of those 529 responses',
  BODY_GRACE_SECONDS: 'Time a request body may take before its minimum rate applies',
  BODY_BYTES_PER_SECOND_MIN:
    'Minimum rate of a request body: each time this many bytes arrive, it may take one more second. A slower one is answered 400 `invalid_request` and its connection closed',
  ANSWER_GRACE_SECONDS: 'Time a client may take to read a response before its minimum rate applies',
  ANSWER_BYTES_PER_SECOND_MIN:
    'Minimum rate at which a client reads a response: each time it has read this many bytes, it may take one more second. The connection of a slower client is closed',
  CONNECTIONS_MAX: 'TCP connections that one process keeps open; a single address may hold a quarter of them. See [Load](#load)',
  REQUEST_SECONDS_MAX: 'Longest time a request may take, up to 60 seconds. After that it is answered 503 and changes nothing',
  STREAM_SECONDS_MAX: 'Longest time an event stream stays open, up to 300 seconds; clients then reconnect',
  STREAM_HEARTBEAT_SECONDS: 'Time between the comments that keep a quiet event stream open',
  STOP_SECONDS_MAX: 'How long a service that is shutting down waits for requests in flight before it aborts them',
  METRICS:
    'Who may read `/metrics`: clients on this machine (`loopback`), clients with `METRICS_TOKEN` (`token`), or nobody (`off`)',
  METRICS_TOKEN: 'Token for `/metrics`: 16 to 80 letters, digits or `_`',
  AGENT_MODEL_URL:
    'Base address of a chat-completions service whose models answer for agents, such as `https://models.example/v1`; it may be private. See [Agents](#agents)',
  AGENT_MODEL_NAME:
    "The service's model, or several as `public=remote`, separated by commas: agents use the public names, and the first one is the default",
  AGENT_MODEL_KEY: 'Key for the service, sent as a bearer token',
  AGENT_MODEL_HEADERS: 'Further headers for requests to the service, as a JSON object',
  AGENT_MODEL_SECONDS_MAX: 'Longest time one call of a model may take, including its whole answer',
  PREFER_FAULTS:
    'For development: requests may ask for a fault of their own by a `Prefer` header, such as `Prefer: code=429`, in the words of the mock. Refused with an address that other machines can reach',
  CONTROL_HOST:
    'Address of the control API, which only a test service has (`workspace-service --test`). It takes no credentials: choose another one only inside of a container',
  CONTROL_PORT: 'Port of the control API; `0` picks a free one',
  REFUSED_BODIES:
    'Whether the bodies of refused requests are kept for `request show`: JSON up to 16 KiB, without secrets. See [Logs](#logs)',
  LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error` or `silent`',
}
