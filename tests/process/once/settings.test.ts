import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, parseConfig } from '../../../server/config.ts'
import { settings as settingRows } from '../../../server/config/settings.ts'
import { spawnService } from '../../harness/process.ts'
import { makeCertificate } from '../../protocol/once/certificate.ts'

type Settings = Readonly<Record<string, string>>

function problemsOf(settings: Settings): readonly string[] {
  try {
    parseConfig(settings)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
const certificate = makeCertificate(folder, 'one')
const other = makeCertificate(folder, 'other')
const notPem = join(folder, 'not.pem')
writeFileSync(notPem, 'SECRET-LOOKING CONTENT')

const refused: readonly [settings: Settings, words: RegExp][] = [
  [{ PORT: '65536' }, /^PORT is "65536", but should be a whole number from 0 to 65535\.$/],
  [{ PORT: '80a' }, /^PORT is "80a"/],
  [{ PORT: '-1' }, /^PORT is "-1"/],
  [{ HOST: 'not a host' }, /^HOST is "not a host"/],
  [{ HOST: '0.0.0.0' }, /^HOST is "0\.0\.0\.0", which other machines can reach.*TLS_CERT.*TRUST_PROXY.*ALLOW_PLAIN_HTTP=true/],
  [{ HOST: '::' }, /^HOST is "::"/],
  [{ HOST: 'workspace.example' }, /^HOST is "workspace\.example"/],
  [{ PREFER_FAULTS: 'true', HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'true' }, /^PREFER_FAULTS is for development on this machine/],
  [{ PREFER_FAULTS: 'true', TRUST_PROXY: '1' }, /^PREFER_FAULTS is for development on this machine/],
  [{ PREFER_FAULTS: 'yes' }, /^PREFER_FAULTS is "yes"/],
  [{ BASE_URL: 'ftp://workspace.example' }, /^BASE_URL is/],
  [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, /^DATABASE_URL should be [^]*$/],
  [{ DATABASE_URL: 'sqlite:' }, /^DATABASE_URL should be/],
  [{ DATABASE_URL: 'postgres://u:hunter2@one:5432,two:5432/x' }, /^DATABASE_URL should be .* always leads to the primary\.$/],
  [{ DATABASE_URL: 'postgres://u:hunter2@one,two/x' }, /^DATABASE_URL should be .* with one host/],
  [{ DATABASE_URL: 'postgres:///x?host=one,two' }, /^DATABASE_URL should be .* with one host/],
  [
    { DATABASE_URL: 'postgres://db/x?target_session_attrs=read-write' },
    /^DATABASE_URL should be .* without `target_session_attrs`/,
  ],
  [{ DATABASE_LISTEN_URL: 'postgres://u:hunter2@db/x' }, /^DATABASE_LISTEN_URL is set, but DATABASE_URL is not/],
  [{ DATABASE_LISTEN_URL: 'sqlite::memory:' }, /^DATABASE_LISTEN_URL should be `postgres:/],
  [{ WORKERS: '0' }, /^WORKERS is "0", but should be `auto`/],
  [{ WORKERS: 'all' }, /^WORKERS is "all"/],
  [{ WORKERS: '2', DATABASE_URL: 'sqlite::memory:' }, /^WORKERS is more than 1, but processes cannot share a database in memory/],
  [
    { SITE_FOLDER: '/nowhere' },
    /^SITE_FOLDER is "\/nowhere", but should be a folder that `npm run docs -- --overlay` has filled\.$/,
  ],
  [{ MCP_PATH: 'mcp' }, /^MCP_PATH is "mcp", but should be `off`, or a path such as \/mcp\.$/],
  [{ MCP_PATH: '/v1/tools' }, /^MCP_PATH is/],
  [{ BOOTSTRAP_TOKEN: 'too short' }, /^BOOTSTRAP_TOKEN should be 16 to 80/],
  [{ BOOTSTRAP_SAMPLE: 'yes' }, /^BOOTSTRAP_SAMPLE is "yes"/],
  [{ TLS_CERT: certificate.certFile }, /^TLS_CERT and TLS_KEY require each other/],
  [{ TLS_KEY: certificate.keyFile }, /^TLS_CERT and TLS_KEY require each other/],
  [
    { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: certificate.keyFile },
    /^TLS_CERT is "\/nowhere\/cert\.pem", which cannot be read \(ENOENT\)\.$/,
  ],
  [{ TLS_CERT: certificate.certFile, TLS_KEY: other.keyFile }, /cannot be used together: .*mismatch/],
  [{ TLS_CERT: notPem, TLS_KEY: certificate.keyFile }, /cannot be used together/],
  [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY is "true"/],
  [{ TRUST_PROXY: '0' }, /^TRUST_PROXY is "0"/],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY is/],
  [{ TRUST_PROXY: '10.0.0.1, everybody' }, /^TRUST_PROXY is/],
  [{ CORS_ALLOWED_ORIGINS: 'planner.example' }, /^CORS_ALLOWED_ORIGINS is/],
  [{ CORS_ALLOWED_ORIGINS: 'https://planner.example/path' }, /^CORS_ALLOWED_ORIGINS is/],
  [
    { RATE_LIMIT: '180' },
    /^RATE_LIMIT is "180", but should be `off`, or <requests>\/<seconds> for each connection, such as 180\/60 \(seconds from 1 to 60\)\.$/,
  ],
  [{ RATE_LIMIT: '0/60' }, /^RATE_LIMIT is/],
  [{ RATE_LIMIT: '180/61' }, /^RATE_LIMIT is/],
  [{ RATE_LIMIT: '180/60/1' }, /^RATE_LIMIT is/],
  [{ RATE_LIMIT: 'on' }, /^RATE_LIMIT is/],
  [{ RATE_LIMIT_WORKSPACE: 'off' }, /^RATE_LIMIT_WORKSPACE is "off"/],
  [{ RATE_LIMIT_WORKSPACE: '1800/86401' }, /^RATE_LIMIT_WORKSPACE is/],
  [{ REDIS_URL: 'http://:hunter2@cache' }, /^REDIS_URL should be `redis:/],
  [{ REQUESTS_IN_FLIGHT_MAX: '0' }, /^REQUESTS_IN_FLIGHT_MAX is "0"/],
  [{ ANSWER_GRACE_SECONDS: '0' }, /^ANSWER_GRACE_SECONDS is "0"/],
  [{ ANSWER_BYTES_PER_SECOND_MIN: '0' }, /^ANSWER_BYTES_PER_SECOND_MIN is "0"/],
  [{ CONNECTIONS_MAX: '0' }, /^CONNECTIONS_MAX is "0"/],
  [{ REQUEST_SECONDS_MAX: '61' }, /^REQUEST_SECONDS_MAX is "61", but should be seconds, a whole number from 1 to 60\.$/],
  [{ STREAM_SECONDS_MAX: '301' }, /^STREAM_SECONDS_MAX is "301"/],
  [{ STREAM_HEARTBEAT_SECONDS: '0' }, /^STREAM_HEARTBEAT_SECONDS is "0"/],
  [{ STOP_SECONDS_MAX: '1.5' }, /^STOP_SECONDS_MAX is "1\.5"/],
  [{ OVERLOAD_RETRY_SECONDS: '0' }, /^OVERLOAD_RETRY_SECONDS is "0"/],
  [{ METRICS: 'on' }, /^METRICS is "on", but should be `loopback`, `token` or `off`\.$/],
  [{ METRICS: 'token' }, /^METRICS is "token", but METRICS_TOKEN is not set\.$/],
  [{ METRICS_TOKEN: 'a_token_of_some_length' }, /^METRICS_TOKEN is set, but METRICS is "loopback"/],
  [{ AGENT_MODEL_URL: 'models.example', AGENT_MODEL_NAME: 'a' }, /^AGENT_MODEL_URL is "models\.example"/],
  [{ AGENT_MODEL_URL: 'https://models.example/v1' }, /^AGENT_MODEL_URL and AGENT_MODEL_NAME require each other/],
  [{ AGENT_MODEL_NAME: 'house-model' }, /^AGENT_MODEL_URL and AGENT_MODEL_NAME require each other/],
  [{ AGENT_MODEL_URL: 'https://models.example', AGENT_MODEL_NAME: 'a=b,a=c' }, /^AGENT_MODEL_NAME is "a=b,a=c"/],
  [{ AGENT_MODEL_URL: 'https://models.example', AGENT_MODEL_NAME: 'a=' }, /^AGENT_MODEL_NAME is "a="/],
  [{ AGENT_MODEL_KEY: 'SECRET-LOOKING key' }, /^AGENT_MODEL_KEY should be 1 to 1000 characters/],
  [{ AGENT_MODEL_HEADERS: '{"X-Team":7,"X-Key":"hunter2"}' }, /^AGENT_MODEL_HEADERS should be a JSON object/],
  [{ AGENT_MODEL_HEADERS: 'X-Key: hunter2' }, /^AGENT_MODEL_HEADERS should be a JSON object/],
  [{ AGENT_MODEL_HEADERS: '{"X Key":"hunter2"}' }, /^AGENT_MODEL_HEADERS should be a JSON object/],
  [{ AGENT_MODEL_SECONDS_MAX: '601' }, /^AGENT_MODEL_SECONDS_MAX is "601"/],
  [{ BASE_URL: 'https://ines@workspace.example' }, /^BASE_URL is/],
  [{ TRANSCRIPTION_KEY: 'hunter2' }, /^TRANSCRIPTION_KEY is set, but TRANSCRIPTION_URL is not\.$/],
  [
    { WORKERS: '2', DATABASE_URL: 'postgres://service@db/workspace', FILES_URL: 'file::temporary:' },
    /^WORKERS is more than 1, but processes cannot share temporary files\./,
  ],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is "loud"/],
  [{ AUDIT_LOG: 'all' }, /^AUDIT_LOG is "all", but should be `writes` or `acts`/],
  [{ AUDIT_LOG_DAYS: '0' }, /^AUDIT_LOG_DAYS is "0"/],
  [{ WORKSPACE_PORT: '80a' }, /^WORKSPACE_PORT is "80a"/],
  [{ WORKSPACE_DATABSE_URL: 'hunter2' }, /^WORKSPACE_DATABSE_URL is not a setting\. Did you mean WORKSPACE_DATABASE_URL\?$/],
  [{ WORKSPACE_FAVOURITE_COLOUR: '' }, /^WORKSPACE_FAVOURITE_COLOUR is not a setting\. OPERATIONS\.md lists all settings\.$/],
  [
    { BOOTSTRAP_TOKEN: 'itk_of_the_test_run_0001', BOOTSTRAP_SAMPLE: 'false' },
    /^BOOTSTRAP_TOKEN is the token of the demo connection, which BOOTSTRAP_SAMPLE=false does not create\./,
  ],
]

// If you are here because a setting is listed: `parseConfig` drops it. Pass it on in `Config`.
it('server/config.ts names each setting', () => {
  const names = new Set(readFileSync('server/config.ts', 'utf8').match(/\b[A-Z][A-Z_]+\b/g))
  expect(Object.keys(settingRows).filter((name) => !names.has(name))).toEqual([])
})

it('the default stream sends a heartbeat every 15 seconds and lasts 300 seconds', () => {
  expect(parseConfig({}).streams).toStrictEqual({ secondsMax: 300, heartbeatSeconds: 15 })
})

describe('settings', () => {
  it.each(refused)('are refused with advice: %j', (settings, words) => {
    const problems = problemsOf(settings)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(words)
    expect(problems[0]).not.toMatch(/hunter2|SECRET-LOOKING|too short/)
  })

  it('are all named when several are wrong', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', WORKERS: '0' })).toHaveLength(3)
  })

  const accepted: readonly Settings[] = [
    {},
    { HOST: 'localhost' },
    { HOST: '127.3.2.1' },
    { HOST: '::1' },
    { HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'true' },
    { HOST: '0.0.0.0', TRUST_PROXY: '1' },
    { HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.0/8, loopback, fd00::/8' },
    { HOST: '::', TLS_CERT: certificate.certFile, TLS_KEY: certificate.keyFile },
    { WORKERS: 'auto', DATABASE_URL: 'postgres://service@db/workspace' },
    { WORKERS: '2', DATABASE_URL: 'sqlite:/tmp/workspace.db' },
    { MCP_PATH: 'off' },
    { MCP_PATH: '/assistant-tools' },
    { METRICS: 'token', METRICS_TOKEN: 'a_token_of_some_length' },
    { RATE_LIMIT: 'off' },
    { AUDIT_LOG: 'acts', AUDIT_LOG_DAYS: '3650' },
    { RATE_LIMIT: '1/1', RATE_LIMIT_WORKSPACE: '1000000/86400', REDIS_URL: 'rediss://user:secret@cache.example:6380/1' },
    { CORS_ALLOWED_ORIGINS: ' https://planner.example , http://localhost:3000,*' },
    { PORT: '  4100  ', LOG_LEVEL: '' },
    { AGENT_MODEL_URL: 'http://10.0.0.7:8000/v1/', AGENT_MODEL_NAME: 'house-model' },
  ]
  it.each(accepted)('are accepted: %j', (settings) => {
    expect(problemsOf(settings)).toEqual([])
  })

  it('are read from names with WORKSPACE_ before those without', () => {
    expect(parseConfig({ PORT: '4100', WORKSPACE_PORT: ' 4200 ' }).port).toBe(4200)
    expect(parseConfig({ PORT: '4100', WORKSPACE_PORT: ' ' }).port).toBe(4100)
  })

  it('are not confused with variables that bundlers and container platforms set under such names', () => {
    const { baseUrl, port } = parseConfig({
      BASE_URL: '/',
      WORKSPACE_PORT: 'tcp://10.0.0.7:4000',
      WORKSPACE_PORT_4000_TCP_ADDR: '10.0.0.7',
      WORKSPACE_SERVICE_HOST: '10.0.0.7',
      WORKSPACE_SERVICE_SERVICE_PORT_HTTP: '4000',
    })
    expect([baseUrl, port]).toEqual([undefined, 4000])
  })

  it('map public names of models to remote ones (AGENT_MODEL_NAME), with the first as default', () => {
    const { agentModel } = parseConfig({
      AGENT_MODEL_URL: 'https://models.example/v1/',
      AGENT_MODEL_NAME: 'fast = vendor/small:2, thorough=vendor/large=8, plain',
      AGENT_MODEL_KEY: 'hunter2',
      AGENT_MODEL_HEADERS: '{"X-Team":"boats"}',
    })
    const models = new Map([
      ['fast', 'vendor/small:2'],
      ['thorough', 'vendor/large=8'],
      ['plain', 'plain'],
    ])
    expect([...(agentModel?.models.keys() ?? [])]).toEqual(['fast', 'thorough', 'plain'])
    expect(agentModel).toEqual({
      url: 'https://models.example/v1',
      models,
      key: 'hunter2',
      headers: { 'X-Team': 'boats' },
      secondsMax: 60,
    })
    expect(parseConfig({}).agentModel).toBeUndefined()
  })

  it('allow a workspace ten times RATE_LIMIT by default', () => {
    const quota = (requests: number, seconds: number): object => ({ requests, seconds })
    expect(parseConfig({}).rateLimits).toEqual({ connection: quota(180, 60), workspace: quota(1800, 60) })
    expect(parseConfig({ RATE_LIMIT: '5/10' }).rateLimits).toEqual({ connection: quota(5, 10), workspace: quota(50, 10) })
    expect(parseConfig({ RATE_LIMIT: '5/10', RATE_LIMIT_WORKSPACE: '7/600' }).rateLimits).toEqual({
      connection: quota(5, 10),
      workspace: quota(7, 600),
    })
    expect(parseConfig({ RATE_LIMIT: 'off', RATE_LIMIT_WORKSPACE: '7/600' }).rateLimits).toBeUndefined()
  })

  it('end the process with code 1 and one line for each problem', async () => {
    const child = spawnService({ HOST: '0.0.0.0', TRUST_PROXY: 'off' })
    expect(await child.ended).toEqual({ code: 1, signal: null })
    expect(child.errors()).toMatch(/^The service did not start\.\nHOST is "0\.0\.0\.0"[^\n]*\n$/)
    expect(child.output()).toBe('')
  })

  it('end the process with code 1 when another program uses the port', async () => {
    const { createServer } = await import('node:net')
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const address = squatter.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const child = spawnService({ PORT: String(port) })
    expect(await child.ended).toEqual({ code: 1, signal: null })
    expect(child.errors()).toMatch(
      new RegExp(`^The service did not start\\.\nCannot listen on 127\\.0\\.0\\.1:${port}: [^\n]*EADDRINUSE[^\n]*\n$`),
    )
    squatter.close()
  })
})
