import type { Environment } from './config/environment.ts'
import { parseSettings, type LOG_LEVELS, type Settings } from './config/settings.ts'
import { loadTlsPair, type TlsFiles } from './config/load_tls_pair.ts'
import { isLoopback, type TrustedProxies } from './config/parsers.ts'
import type { DatabaseAddress, FilesAddress, ModelEndpoint, TranscriptionEndpoint } from './kernel/addresses.ts'
import type { RateLimits } from './kernel/quota.ts'

export type { Environment }

type LogLevel = (typeof LOG_LEVELS)[number]

/** How the service receives requests. */
export interface Transport {
  /** Undefined if the service does not serve HTTPS itself. */
  readonly tls: TlsFiles | undefined
  readonly trustedProxies: TrustedProxies
  /** Whether requests that were not sent over HTTPS are refused. */
  readonly requiresHttps: boolean
  /** Origins whose pages may call the API from a browser; `*` allows all. */
  readonly corsOrigins: readonly string[]
}

/** Where files are stored, and which are accepted. */
export interface Files {
  readonly address: FilesAddress
  /** The maximum size of a file, in bytes. */
  readonly bytesMax: number
  /** Hosts that files may be imported from even if their addresses are not public. */
  readonly importHosts: readonly string[]
}

/** The load that one process accepts, and the minimum rates of bodies and responses. */
export interface AdmissionLimits {
  readonly requestsInFlightMax: number
  /** The wait that an overloaded service suggests to callers. */
  readonly overloadRetrySeconds: number
  readonly bodyGraceSeconds: number
  readonly bodyBytesPerSecondMin: number
  readonly responseGraceSeconds: number
  readonly responseBytesPerSecondMin: number
}

/** Limits of one process. */
interface LoadLimits extends AdmissionLimits {
  readonly connectionsMax: number
  readonly requestSecondsMax: number
  readonly stopSecondsMax: number
}

/** Who may read `/metrics`: clients on this machine, clients with the token, or nobody. */
export type MetricsAccess = 'loopback' | 'off' | { readonly token: string }

export interface Config {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly database: DatabaseAddress
  readonly files: Files
  /** Undefined if recordings cannot be transcribed. */
  readonly transcription: TranscriptionEndpoint | undefined
  /** Hosts that webhooks may be sent to even if their addresses are not public. */
  readonly webhookPrivateHosts: readonly string[]
  /** Processes that serve requests. */
  readonly workers: number
  /** Start of links in responses, without a trailing slash; undefined means the address listened on. */
  readonly baseUrl: string | undefined
  /**
   * A second first word for the protocol's headers: with `Acme`, `Acme-Version` works like `Service-Version`. `Service` if there is none.
   */
  readonly headerBrand: string
  /** Folder with the reference and contract of a brand, which replace the service's own. */
  readonly siteFolder: string | undefined
  /** Where tools for assistants are served; undefined if they are not. */
  readonly mcpPath: string | undefined
  readonly bootstrapToken: string | undefined
  /** The initial content of an empty database: the demo workspace, the same without content, or nothing. */
  readonly bootstrapSample: 'true' | 'empty' | 'false'
  readonly transport: Transport
  readonly load: LoadLimits
  /** The longest duration of an event stream, and its longest silence. */
  readonly streams: { readonly secondsMax: number; readonly heartbeatSeconds: number }
  readonly metrics: MetricsAccess
  readonly logLevel: LogLevel
  /** The default quotas of a workspace; null for no limit. */
  readonly quotas: Readonly<Record<'pages' | 'blocks' | 'notes' | 'files' | 'bytes', number | null>>
  /** Whether the bodies of refused requests are kept, without secrets. */
  readonly keepsRefusedBodies: boolean
  readonly auditLog: {
    /** Whether it contains writes through the API, and not only administration. */
    readonly hasWrites: boolean
    /** How long entries are kept. */
    readonly days: number
  }
  /** Undefined if there are no rate limits. */
  readonly rateLimits: RateLimits | undefined
  readonly hasConsole: boolean
  /** Where requests are counted, if neither in the database nor in memory. */
  readonly redisUrl: string | undefined
  /** Whether requests may inject faults into themselves by a `Prefer` header, for development. */
  readonly preferFaults: boolean
  /** Where a test service listens for the control API. */
  readonly control: { readonly host: string; readonly port: number }
  /** The model endpoint for agents; undefined if there is only the embedded runtime. */
  readonly agentModel: ModelEndpoint | undefined
}

/** Has one line for each invalid setting. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads every setting once, before anything starts.
 * @throws ConfigError that names each invalid setting, its value and the valid values
 */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = []
  const values = parseSettings(environment, problems)
  if (problems.length === 0) problems.push(...contradictions(values))
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze<Config>({
    host: values.HOST,
    port: values.PORT,
    database: databaseOf(values),
    files: filesOf(values),
    transcription: transcriptionOf(values),
    webhookPrivateHosts: values.WEBHOOK_PRIVATE_HOSTS,
    workers: values.WORKERS,
    baseUrl: values.BASE_URL,
    headerBrand: values.HEADER_BRAND,
    siteFolder: values.SITE_FOLDER,
    mcpPath: values.MCP_PATH === 'off' ? undefined : values.MCP_PATH,
    bootstrapToken: values.BOOTSTRAP_TOKEN,
    bootstrapSample: values.BOOTSTRAP_SAMPLE,
    transport: transportOf(values),
    load: {
      requestsInFlightMax: values.REQUESTS_IN_FLIGHT_MAX,
      overloadRetrySeconds: values.OVERLOAD_RETRY_SECONDS,
      bodyGraceSeconds: values.BODY_GRACE_SECONDS,
      bodyBytesPerSecondMin: values.BODY_BYTES_PER_SECOND_MIN,
      responseGraceSeconds: values.ANSWER_GRACE_SECONDS,
      responseBytesPerSecondMin: values.ANSWER_BYTES_PER_SECOND_MIN,
      connectionsMax: values.CONNECTIONS_MAX,
      requestSecondsMax: values.REQUEST_SECONDS_MAX,
      stopSecondsMax: values.STOP_SECONDS_MAX,
    },
    streams: { secondsMax: values.STREAM_SECONDS_MAX, heartbeatSeconds: values.STREAM_HEARTBEAT_SECONDS },
    metrics: metricsAccess(values),
    logLevel: values.LOG_LEVEL,
    quotas: quotasOf(values),
    keepsRefusedBodies: values.REFUSED_BODIES,
    auditLog: { hasWrites: values.AUDIT_LOG === 'writes', days: values.AUDIT_LOG_DAYS },
    rateLimits: rateLimitsOf(values),
    hasConsole: values.CONSOLE,
    redisUrl: values.REDIS_URL,
    preferFaults: values.PREFER_FAULTS,
    control: { host: values.CONTROL_HOST, port: values.CONTROL_PORT },
    agentModel: agentModel(values),
  })
}

function filesOf(values: Settings): Files {
  return { address: filesAddress(values), bytesMax: values.FILE_BYTES_MAX, importHosts: values.FILE_IMPORT_HOSTS }
}

function databaseOf({ DATABASE_URL, DATABASE_LISTEN_URL }: Settings): DatabaseAddress {
  return DATABASE_URL.engine === 'sqlite' || DATABASE_LISTEN_URL === undefined
    ? DATABASE_URL
    : { ...DATABASE_URL, listenUrl: DATABASE_LISTEN_URL }
}

/** Where files are stored. By default, they last as long as the database. */
export function filesAddress({ FILES_URL, DATABASE_URL }: Pick<Settings, 'FILES_URL' | 'DATABASE_URL'>): FilesAddress {
  const inMemory = DATABASE_URL.engine === 'sqlite' && DATABASE_URL.path === ':memory:'
  const usual: FilesAddress = inMemory ? { kind: 'temporary' } : { kind: 'folder', path: './data/files' }
  return FILES_URL ?? usual
}

function quotasOf(values: Settings): Config['quotas'] {
  return {
    pages: values.QUOTA_PAGES ?? null,
    blocks: values.QUOTA_BLOCKS ?? null,
    notes: values.QUOTA_NOTES ?? null,
    files: values.QUOTA_FILES ?? null,
    bytes: values.QUOTA_BYTES ?? null,
  }
}

function transcriptionOf({ TRANSCRIPTION_URL: url, TRANSCRIPTION_KEY: key }: Settings): TranscriptionEndpoint | undefined {
  return url === undefined ? undefined : { url, key }
}

function transportOf(values: Settings): Transport {
  const tls = tlsFiles(values)
  return {
    tls,
    trustedProxies: values.TRUST_PROXY,
    requiresHttps: !values.ALLOW_PLAIN_HTTP && (tls !== undefined || values.TRUST_PROXY !== false),
    corsOrigins: values.CORS_ALLOWED_ORIGINS,
  }
}

/** The default rate limit of a workspace, as a multiple of a connection's. */
const CONNECTIONS_PER_WORKSPACE = 10

function rateLimitsOf({ RATE_LIMIT: connection, RATE_LIMIT_WORKSPACE: workspace }: Settings): RateLimits | undefined {
  if (connection === 'off') return undefined
  return { connection, workspace: workspace ?? { ...connection, requests: connection.requests * CONNECTIONS_PER_WORKSPACE } }
}

function metricsAccess({ METRICS: access, METRICS_TOKEN: token }: Settings): MetricsAccess {
  if (access !== 'token') return access
  return token === undefined ? 'off' : { token }
}

function agentModel(values: Settings): ModelEndpoint | undefined {
  const { AGENT_MODEL_URL: url, AGENT_MODEL_NAME: models, AGENT_MODEL_KEY: key, AGENT_MODEL_HEADERS: headers } = values
  if (url === undefined || models === undefined) return undefined
  return { url, models, key, headers, secondsMax: values.AGENT_MODEL_SECONDS_MAX }
}

function tlsFiles({ TLS_CERT: certFile, TLS_KEY: keyFile }: Settings): TlsFiles | undefined {
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile }
}

/** Reports settings that are valid individually but not together. */
function contradictions(values: Settings): string[] {
  const problems: string[] = []
  const tls = tlsFiles(values)
  if (!tls && (values.TLS_CERT ?? values.TLS_KEY) !== undefined)
    problems.push('TLS_CERT and TLS_KEY require each other: set both, or neither.')
  if (tls) problems.push(...tlsProblems(tls))
  if (!tls && !isLoopback(values.HOST) && values.TRUST_PROXY === false && !values.ALLOW_PLAIN_HTTP) {
    problems.push(
      `HOST is "${values.HOST}", which other machines can reach, but traffic would not be encrypted. Set TLS_CERT and TLS_KEY; or TRUST_PROXY, ` +
        'if a proxy terminates TLS; or ALLOW_PLAIN_HTTP=true, if you really want plain HTTP.',
    )
  }
  if (values.BOOTSTRAP_TOKEN !== undefined && values.BOOTSTRAP_SAMPLE === 'false') {
    problems.push(
      'BOOTSTRAP_TOKEN is the token of the demo connection, which BOOTSTRAP_SAMPLE=false does not create. Unset it, or set BOOTSTRAP_SAMPLE=empty.',
    )
  }
  if (values.PREFER_FAULTS && (!isLoopback(values.HOST) || values.TRUST_PROXY !== false)) {
    problems.push(
      'PREFER_FAULTS is for development on this machine. Set HOST to a loopback address such as 127.0.0.1, and TRUST_PROXY=off.',
    )
  }
  if (values.TRANSCRIPTION_KEY !== undefined && values.TRANSCRIPTION_URL === undefined)
    problems.push('TRANSCRIPTION_KEY is set, but TRANSCRIPTION_URL is not.')
  if (values.METRICS === 'token' && values.METRICS_TOKEN === undefined)
    problems.push('METRICS is "token", but METRICS_TOKEN is not set.')
  if (values.METRICS !== 'token' && values.METRICS_TOKEN !== undefined) {
    problems.push(`METRICS_TOKEN is set, but METRICS is "${values.METRICS}". Set METRICS=token to use it.`)
  }
  if ((values.AGENT_MODEL_URL === undefined) !== (values.AGENT_MODEL_NAME === undefined))
    problems.push('AGENT_MODEL_URL and AGENT_MODEL_NAME require each other: set both, or neither.')
  if (values.DATABASE_LISTEN_URL !== undefined && values.DATABASE_URL.engine === 'sqlite')
    problems.push('DATABASE_LISTEN_URL is set, but DATABASE_URL is not the address of a PostgreSQL server.')
  if (values.WORKERS > 1 && values.DATABASE_URL.engine === 'sqlite' && values.DATABASE_URL.path === ':memory:') {
    problems.push('WORKERS is more than 1, but processes cannot share a database in memory. Use a file or PostgreSQL.')
  }
  if (values.WORKERS > 1 && values.FILES_URL?.kind === 'temporary')
    problems.push('WORKERS is more than 1, but processes cannot share temporary files. Set FILES_URL to a folder or a bucket.')
  return problems
}

function tlsProblems(files: TlsFiles): string[] {
  try {
    loadTlsPair(files)
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
