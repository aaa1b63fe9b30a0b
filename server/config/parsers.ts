import { existsSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { DatabaseAddress, FilesAddress } from '../kernel/addresses.ts'
import type { Quota } from '../kernel/quota.ts'

/**
 * Parsers of settings. Each returns the value, or undefined if the text is invalid; none throws. The setting that uses a parser describes
 * the valid values.
 */

export function pattern(expression: RegExp): (text: string) => string | undefined {
  return (text) => (expression.test(text) ? text : undefined)
}

export function oneOf<const Word extends string>(words: readonly Word[]): (text: string) => Word | undefined {
  return (text) => words.find((word) => word === text)
}

export function wholeNumber(from: number, to: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined)
}

export function boolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined
}

export function host(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined
}

/** `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. */
export function databaseAddress(text: string): DatabaseAddress | undefined {
  const path = /^sqlite:(.+)$/.exec(text)?.[1]
  if (path !== undefined) return { engine: 'sqlite', path: path.replace(/^\/\/(?=\/)/, '') }
  const url = postgresqlUrl(text)
  return url === undefined ? undefined : { engine: 'postgresql', url }
}

/** An address with one host. The driver does not try several hosts or look for a writable one. */
export function postgresqlUrl(text: string): string | undefined {
  if (!/^postgres(?:ql)?:\/\/./.test(text) || !URL.canParse(text)) return undefined
  const { hostname, searchParams } = new URL(text)
  const hosts = [hostname, ...searchParams.getAll('host')]
  return hosts.some((host) => host.includes(',')) || searchParams.has('target_session_attrs') ? undefined : text
}

/** `file:<folder>`, `file::temporary:` or `s3://bucket`. */
export function parseFilesAddress(text: string): FilesAddress | undefined {
  const path = /^file:(.+)$/.exec(text)?.[1]
  if (path !== undefined)
    return path === ':temporary:' ? { kind: 'temporary' } : { kind: 'folder', path: path.replace(/^\/\/(?=\/)/, '') }
  return /^s3:\/\/./.test(text) && URL.canParse(text) ? bucketOf(new URL(text)) : undefined
}

function bucketOf(url: URL): FilesAddress | undefined {
  const { endpoint, region = 'us-east-1', ...others } = Object.fromEntries(url.searchParams)
  if (url.hostname === '' || Object.keys(others).length > 0 || (endpoint !== undefined && baseUrl(endpoint) === undefined))
    return undefined
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if ((accessKeyId === '') !== (secretAccessKey === '')) return undefined
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    credentials: accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey },
  }
}

/** A folder that `npm run docs -- --overlay` has filled. */
export function siteFolder(text: string): string | undefined {
  return existsSync(join(text, 'openapi.json')) ? resolve(text) : undefined
}

/** Host names, each optionally restricted to a port. An empty text is an empty list. */
export function hosts(text: string): readonly string[] | undefined {
  const list = entries(text)
  return list.every((entry) => /^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-fA-F:.]+\](?::\d{1,5})?$/.test(entry))
    ? list
    : undefined
}

const REQUESTS_MAX = 1_000_000

/** `180/60`: requests in a window of seconds. */
export function quota(secondsMax: number): (text: string) => Quota | undefined {
  return (text) => {
    const [requests, seconds, ...rest] = text.split('/')
    const parsed = { requests: wholeNumber(1, REQUESTS_MAX)(requests ?? ''), seconds: wholeNumber(1, secondsMax)(seconds ?? '') }
    return rest.length > 0 || parsed.requests === undefined || parsed.seconds === undefined
      ? undefined
      : { requests: parsed.requests, seconds: parsed.seconds }
  }
}

export function redisAddress(text: string): string | undefined {
  return /^rediss?:\/\/./.test(text) && URL.canParse(text) ? text : undefined
}

/** An absolute http or https address without a trailing slash. */
export function baseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const usable =
    (url.protocol === 'http:' || url.protocol === 'https:') && !url.search && !url.hash && !url.username && !url.password
  return usable ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
}

/** An http or https address without credentials or a fragment. */
export function endpoint(text: string): string | undefined {
  if (!/^https?:\/\/./.test(text) || !URL.canParse(text)) return undefined
  const { href, username, password, hash } = new URL(text)
  return username === '' && password === '' && hash === '' ? href : undefined
}

const PUBLIC_MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/
const REMOTE_MODEL = /^[!-~]{1,200}$/

/** Remote names of models by their public names: `public=remote`, or one name for both, separated by commas. */
export function models(text: string): ReadonlyMap<string, string> | undefined {
  const pairs = entries(text).map((entry): readonly [string, string] => {
    const [name = '', ...remote] = entry.split('=')
    return [name.trim(), remote.length === 0 ? name.trim() : remote.join('=').trim()]
  })
  const areGood = pairs.every(([name, remote]) => PUBLIC_MODEL.test(name) && REMOTE_MODEL.test(remote))
  const byName = new Map(pairs)
  return areGood && pairs.length > 0 && byName.size === pairs.length ? byName : undefined
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const HEADER_VALUE = /^[ -~]{0,1000}$/

/** Headers of requests, as a JSON object of their names and values. */
export function headers(text: string): Readonly<Record<string, string>> | undefined {
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const pairs = Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const areGood = pairs.every(([name, content]) => HEADER_NAME.test(name) && HEADER_VALUE.test(content))
  return areGood && pairs.length === Object.keys(value).length ? Object.fromEntries(pairs) : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `auto` is one per core. */
export function workers(text: string): number | undefined {
  return text === 'auto' ? availableParallelism() : wholeNumber(1, 256)(text)
}

/** Origins as browsers send them (`https://app.example`), or `*`. An empty text is an empty list. */
export function origins(text: string): readonly string[] | undefined {
  const list = entries(text)
  return list.every((entry) => entry === '*' || isOrigin(entry)) ? list : undefined
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** The proxies whose forwarding headers are trusted: none, a number of them in a row, or those at these addresses. */
export type TrustedProxies = false | number | readonly string[]

const ADDRESS_GROUPS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])
const PROXIES_IN_A_ROW_MAX = 10

/** `off`, a number of proxies, or addresses, networks (`10.0.0.0/8`) and the words `loopback`, `linklocal`, `uniquelocal`. */
export function trustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'off') return false
  if (/^\d+$/.test(text)) return wholeNumber(1, PROXIES_IN_A_ROW_MAX)(text)
  const list = entries(text)
  return list.length > 0 && list.every((entry) => ADDRESS_GROUPS.has(entry) || isNetwork(entry)) ? list : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || wholeNumber(0, family === 4 ? 32 : 128)(prefix) !== undefined
}

function entries(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address or host name can be reached from this machine only. */
export function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family === 0 ? address === 'localhost' : loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
