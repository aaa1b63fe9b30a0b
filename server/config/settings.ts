import { findSettings, type Environment } from './environment.ts'
import * as parsers from './parsers.ts'

/** One setting and its parser. `setting_meanings.ts` describes its effect. */
export interface Setting<Value> {
  /** Used when the setting is missing or blank. Without a fallback, such a setting is undefined. */
  readonly fallback?: string
  /** Ends the sentence "… but should be". */
  readonly expectation: string
  /** Its value is never shown in a message. */
  readonly isSecret?: true
  parse(text: string): Value | undefined
}

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
const PORT_MAX = 65_535
const REQUESTS_IN_FLIGHT_MAX = 100_000
const BYTES_PER_SECOND_MAX = 1_000_000
const CONNECTIONS_MAX = 1_000_000
const SECONDS_MAX = 60
const DAY_SECONDS = 86_400
const STOP_SECONDS_MAX = 3_600
const MODEL_SECONDS_MAX = 600
const STREAM_SECONDS_MAX = 300
const AUDIT_DAYS_MAX = 3_650
const QUOTA_MAX = 999_999_999_999_999
const TOKEN = /^[A-Za-z0-9_]{16,80}$/
const TOKEN_WORDS = '16 to 80 letters, digits or underscores'
const file = { expectation: 'a file name', parse: (text: string): string => text }
const trueOrFalse = { expectation: '`true` or `false`', parse: parsers.boolean }
const whole = (to: number, { from = 1, of = '' } = {}): Setting<number> => ({
  expectation: `${of}a whole number from ${from} to ${to}`,
  parse: parsers.wholeNumber(from, to),
})
const seconds = (to: number): Setting<number> => whole(to, { of: 'seconds, ' })
const hosts = (name: string): Setting<readonly string[]> => ({
  expectation: `hosts such as ${name}.internal or ${name}.internal:8443, separated by commas`,
  parse: parsers.hosts,
})

/** Limits of each workspace; off unless set. */
const quotas = {
  QUOTA_PAGES: whole(QUOTA_MAX, { from: 0 }),
  QUOTA_BLOCKS: whole(QUOTA_MAX, { from: 0 }),
  QUOTA_NOTES: whole(QUOTA_MAX, { from: 0 }),
  QUOTA_FILES: whole(QUOTA_MAX, { from: 0 }),
  QUOTA_BYTES: whole(QUOTA_MAX, { from: 0, of: 'bytes, ' }),
}

/** All settings, by their names in the environment without the optional prefix `WORKSPACE_`. */
export const settings = {
  HOST: { fallback: '127.0.0.1', expectation: 'an IP address or a host name', parse: parsers.host },
  PORT: { fallback: '4000', ...whole(PORT_MAX, { from: 0 }) },
  BASE_URL: { expectation: 'an absolute http or https address without query or fragment', parse: parsers.baseUrl },
  DATABASE_URL: {
    fallback: 'sqlite:./data/workspace.db',
    isSecret: true,
    parse: parsers.databaseAddress,
    expectation:
      '`sqlite:<file>`, `sqlite::memory:` or `postgres://user:password@host:port/database`, without `target_session_attrs` and with one host: for several servers, an address that always leads to the primary',
  },
  DATABASE_LISTEN_URL: {
    isSecret: true,
    parse: parsers.postgresqlUrl,
    expectation: '`postgres://user:password@host:port/database`, with one host',
  },
  FILES_URL: {
    isSecret: true,
    parse: parsers.parseFilesAddress,
    expectation: '`file:<folder>`, `file::temporary:` or `s3://key:secret@bucket/prefix?endpoint=https://…&region=…`',
  },
  FILE_BYTES_MAX: { fallback: '5368709120', ...whole(9_999_999_999, { of: 'bytes, ' }) },
  FILE_IMPORT_HOSTS: { fallback: '', ...hosts('files') },
  TRANSCRIPTION_URL: {
    isSecret: true,
    expectation: 'an absolute http or https address without a user or a fragment',
    parse: parsers.endpoint,
  },
  TRANSCRIPTION_KEY: { isSecret: true, expectation: 'a key without blanks', parse: parsers.pattern(/^[\x21-\x7e]{1,1000}$/) },
  WEBHOOK_PRIVATE_HOSTS: { fallback: '', ...hosts('hooks') },
  ...quotas,
  WORKERS: { fallback: '1', expectation: '`auto` or a whole number from 1 to 256', parse: parsers.workers },
  HEADER_BRAND: {
    fallback: 'Service',
    expectation: 'one capitalized word, such as Acme',
    parse: parsers.pattern(/^[A-Z][A-Za-z0-9]{0,39}$/),
  },
  SITE_FOLDER: { expectation: 'a folder that `npm run docs -- --overlay` has filled', parse: parsers.siteFolder },
  MCP_PATH: {
    fallback: '/mcp',
    expectation: '`off`, or a path such as /mcp',
    parse: parsers.pattern(/^(?:off|\/[a-z][a-z0-9_-]{0,39})$/),
  },
  BOOTSTRAP_TOKEN: { isSecret: true, expectation: TOKEN_WORDS, parse: parsers.pattern(TOKEN) },
  BOOTSTRAP_SAMPLE: {
    fallback: 'true',
    expectation: '`true`, `empty` or `false`',
    parse: parsers.oneOf(['true', 'empty', 'false']),
  },
  TLS_CERT: file,
  TLS_KEY: file,
  TRUST_PROXY: {
    fallback: 'off',
    parse: parsers.trustedProxies,
    expectation:
      '`off`, a number of proxies from 1 to 10, or addresses, networks such as 10.0.0.0/8, `loopback`, `linklocal`, `uniquelocal`',
  },
  ALLOW_PLAIN_HTTP: { fallback: 'false', ...trueOrFalse },
  CORS_ALLOWED_ORIGINS: {
    fallback: '',
    expectation: 'origins such as https://app.example, separated by commas, or `*`',
    parse: parsers.origins,
  },
  RATE_LIMIT: {
    fallback: '180/60',
    expectation: `\`off\`, or <requests>/<seconds> for each connection, such as 180/60 (seconds from 1 to ${SECONDS_MAX})`,
    parse: (text: string) => (text === 'off' ? text : parsers.quota(SECONDS_MAX)(text)),
  },
  RATE_LIMIT_WORKSPACE: {
    expectation: '<requests>/<seconds> for each workspace, such as 1800/60',
    parse: parsers.quota(DAY_SECONDS),
  },
  REDIS_URL: {
    isSecret: true,
    expectation: '`redis://user:password@host:port/database`, or the same with `rediss:`',
    parse: parsers.redisAddress,
  },
  REQUESTS_IN_FLIGHT_MAX: { fallback: '256', ...whole(REQUESTS_IN_FLIGHT_MAX) },
  OVERLOAD_RETRY_SECONDS: { fallback: '5', ...seconds(SECONDS_MAX) },
  BODY_GRACE_SECONDS: { fallback: '10', ...seconds(SECONDS_MAX) },
  BODY_BYTES_PER_SECOND_MIN: { fallback: '500', ...whole(BYTES_PER_SECOND_MAX) },
  ANSWER_GRACE_SECONDS: { fallback: '10', ...seconds(SECONDS_MAX) },
  ANSWER_BYTES_PER_SECOND_MIN: { fallback: '500', ...whole(BYTES_PER_SECOND_MAX) },
  CONNECTIONS_MAX: { fallback: '4096', ...whole(CONNECTIONS_MAX) },
  REQUEST_SECONDS_MAX: { fallback: '60', ...seconds(SECONDS_MAX) },
  STREAM_SECONDS_MAX: { fallback: '300', ...seconds(STREAM_SECONDS_MAX) },
  STREAM_HEARTBEAT_SECONDS: { fallback: '15', ...seconds(SECONDS_MAX) },
  STOP_SECONDS_MAX: { fallback: '25', ...seconds(STOP_SECONDS_MAX) },
  CONSOLE: { fallback: 'true', ...trueOrFalse },
  METRICS: {
    fallback: 'loopback',
    expectation: '`loopback`, `token` or `off`',
    parse: parsers.oneOf(['loopback', 'token', 'off']),
  },
  METRICS_TOKEN: { isSecret: true, expectation: TOKEN_WORDS, parse: parsers.pattern(TOKEN) },
  AGENT_MODEL_URL: { expectation: 'an absolute http or https address without query or fragment', parse: parsers.baseUrl },
  AGENT_MODEL_NAME: {
    expectation: 'the name of a model, or several such as fast=vendor/small,thorough=vendor/large',
    parse: parsers.models,
  },
  AGENT_MODEL_KEY: {
    isSecret: true,
    expectation: '1 to 1000 characters of ASCII without blanks',
    parse: parsers.pattern(/^[!-~]{1,1000}$/),
  },
  AGENT_MODEL_HEADERS: {
    fallback: '{}',
    isSecret: true,
    expectation: 'a JSON object of header names and values, such as {"X-Team":"boats"}',
    parse: parsers.headers,
  },
  AGENT_MODEL_SECONDS_MAX: { fallback: '60', ...seconds(MODEL_SECONDS_MAX) },
  PREFER_FAULTS: { fallback: 'false', ...trueOrFalse },
  CONTROL_HOST: { fallback: '127.0.0.1', expectation: 'an IP address or a host name', parse: parsers.host },
  CONTROL_PORT: { fallback: '4001', ...whole(PORT_MAX, { from: 0 }) },
  AUDIT_LOG: { fallback: 'writes', expectation: '`writes` or `acts`', parse: parsers.oneOf(['writes', 'acts']) },
  AUDIT_LOG_DAYS: { fallback: '90', ...whole(AUDIT_DAYS_MAX, { of: 'days, ' }) },
  REFUSED_BODIES: { fallback: 'false', ...trueOrFalse },
  LOG_LEVEL: { fallback: 'info', expectation: `one of ${LOG_LEVELS.join(', ')}`, parse: parsers.oneOf(LOG_LEVELS) },
} as const satisfies Readonly<Record<string, Setting<unknown>>>

type SettingName = keyof typeof settings

type Parsed<S> = S extends { parse(text: string): infer Value } ? Exclude<Value, undefined> : never
type ValueOf<S> = S extends { fallback: string } ? Parsed<S> : Parsed<S> | undefined

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> }

/**
 * Parses every setting. Surrounding blanks are ignored.
 * @param problems receives a message for each invalid value; that setting is then undefined, whatever its type
 */
export function parseSettings(environment: Environment, problems: string[]): Settings {
  const values: Record<string, unknown> = {}
  const given = findSettings(environment, Object.keys(settings), problems)
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { name, text } = given.get(key) ?? { name: key, text: setting.fallback }
    values[key] = text === undefined ? undefined : setting.parse(text)
    if (text === undefined || values[key] !== undefined) continue
    problems.push(
      setting.isSecret
        ? `${name} should be ${setting.expectation}.`
        : `${name} is "${text}", but should be ${setting.expectation}.`,
    )
  }
  // Each value comes from the parser of its type, or a problem names it.
  return values as Settings
}
