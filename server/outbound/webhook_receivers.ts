import { NODATA, NOTFOUND, Resolver } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { isPrivateHost, isPublicAddress, PrivateHostError } from './public_hosts.ts'
import { userAgentOf } from './user_agent.ts'

interface WebhookReceiversOptions {
  /** Hosts (`hooks.internal` or `hooks.internal:8443`) to which webhooks may be sent even if their addresses are not public. */
  readonly allowedHosts: readonly string[]
  /** First words of the signature header, such as `Service`. */
  readonly brands: readonly string[]
  /** Trusted certificate authorities, in PEM; by default, those that Node trusts. */
  readonly certificates?: readonly string[]
  /** Milliseconds within which a receiver must respond, including the time to connect. */
  readonly responseMilliseconds?: number
  /** Resolves all host names except the allowed ones. */
  readonly resolver?: Resolver
}

interface SentBody {
  readonly url: string
  readonly body: string
  readonly signature: string
}

interface Reply {
  /** Null if there was no response. */
  readonly statusCode: number | null
  /** A sentence that describes the failure; null if the body was acknowledged. */
  readonly error: string | null
}

const RESPONSE_MS = 10_000
const DNS = { timeout: 2_000, tries: 2 }
/** How long idle connections are kept. */
const IDLE_MS = 15_000
const HEADERS_SIZE_MAX = 16 * 1024
/** The bodies of responses are ignored. Short ones are read, so that their connections can be reused. */
const BODY = {
  limit: 64 * 1024,
  milliseconds: 1_000,
  /**
   * More than `limit`, so that responses are never paused: undici 7 ends the process if a host closes its connection while a response is
   * paused.
   */
  unpaused: 1024 * 1024,
}

/** The HTTP client. It is loaded on first use, because most processes deliver nothing. */
interface Client {
  readonly undici: typeof import('undici')
  /** Connects to hosts that the operator allows. */
  readonly allowed: Agent
  /** Connects to public addresses only. */
  readonly guarded: Agent
}

/**
 * Sends webhooks over HTTPS. The operating system is not used to resolve names, because slow name servers could occupy its few resolver
 * threads. Each connection goes to an address that was checked to be public, unless the operator allows its host.
 */
export class WebhookReceivers {
  readonly #allowedHosts: readonly string[]
  readonly #signatureHeaders: readonly string[]
  readonly #userAgent: string
  readonly #responseMilliseconds: number
  readonly #resolver: Resolver
  readonly #certificates: readonly string[] | undefined
  #client: Promise<Client> | undefined

  constructor(options: WebhookReceiversOptions) {
    const { allowedHosts, brands, certificates, responseMilliseconds = RESPONSE_MS, resolver = new Resolver(DNS) } = options
    this.#allowedHosts = allowedHosts
    this.#certificates = certificates
    this.#userAgent = userAgentOf(brands)
    this.#signatureHeaders = brands.map((brand) => `X-${brand}-Signature`)
    this.#responseMilliseconds = responseMilliseconds
    this.#resolver = resolver
  }

  /**
   * @returns why an address must not be used, completing the sentence "body.url should …"; undefined if it may be used, and for a name
   * while no name server responds, since every connection is checked again
   */
  async refusalOf(text: string): Promise<string | undefined> {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '')
      return 'be an https url without credentials or fragment'
    if (this.#isAllowed(url)) return undefined
    if (isPrivateName(url.hostname)) return PUBLIC_HOST
    if (isLiteral(url.hostname) || isReservedName(url.hostname)) return undefined
    const addresses = await this.#addressesOf(url.hostname)
    if (!addresses) return `name a host that exists: no address was found for "${url.hostname}"`
    return addresses.every(isPublicAddress) ? undefined : PUBLIC_HOST
  }

  /** Posts a body and waits for the response. @throws only the reason of `signal` */
  async send(sent: SentBody, signal: AbortSignal): Promise<Reply> {
    try {
      const statusCode = await this.#post(sent, signal)
      const isAcknowledged = statusCode >= 200 && statusCode < 300
      return { statusCode, error: isAcknowledged ? null : `The receiver responded with status ${statusCode}.` }
    } catch (error) {
      signal.throwIfAborted()
      return { statusCode: null, error: this.#describeFailure(error) }
    }
  }

  /** Closes the keep-alive connections. */
  async close(): Promise<void> {
    const client = await this.#client
    await Promise.all([client?.guarded.destroy(), client?.allowed.destroy()])
  }

  /** @returns the status of the response */
  async #post({ url: address, body, signature }: SentBody, signal: AbortSignal): Promise<number> {
    const url = new URL(address)
    const isAllowed = this.#isAllowed(url)
    // An IP address in the URL is not resolved, so check it here.
    if (!isAllowed && isPrivateName(url.hostname)) throw new PrivateHostError()
    const { undici, allowed, guarded } = await (this.#client ??= this.#makeClient())
    const headers = {
      'user-agent': this.#userAgent,
      'content-type': 'application/json',
      ...Object.fromEntries(this.#signatureHeaders.map((name) => [name, signature])),
    }
    const limits = AbortSignal.any([signal, AbortSignal.timeout(this.#responseMilliseconds)])
    const dispatcher = isAllowed ? allowed : guarded
    const request = { method: 'POST', headers, body, signal: limits, dispatcher, highWaterMark: BODY.unpaused } as const
    const response = await undici.request(url, request).catch((error: unknown) => {
      // The keep-alive connection had been closed before the request arrived, so it is safe to send it again.
      if (error instanceof undici.errors.SocketError && wasUsedBefore(error)) return undici.request(url, request)
      throw error
    })
    await discardBody(response)
    return response.statusCode
  }

  async #makeClient(): Promise<Client> {
    const undici = await import('undici')
    const tls = this.#certificates && { ca: [...this.#certificates] }
    const options = { keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS, maxHeaderSize: HEADERS_SIZE_MAX }
    return {
      undici,
      allowed: new undici.Agent({ ...options, connect: { ...tls } }),
      guarded: new undici.Agent({ ...options, connect: { ...tls, lookup: this.#lookup } }),
    }
  }

  #isAllowed({ host, hostname }: URL): boolean {
    return this.#allowedHosts.some((allowed) => allowed === host || allowed === hostname)
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    this.#addressesOf(hostname).then(
      (addresses = []) => {
        const usable = addresses.filter(isPublicAddress).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const [first] = usable
        if (!first) callback(addresses.length > 0 ? new PrivateHostError() : new NoAddressError(), '', 0)
        else if (options.all) callback(null, usable)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new NoAddressError(), '', 0),
    )
  }

  /**
   * @returns all addresses of a name, IPv4 first; an empty list if no name server responds; undefined if the name does not exist or has no
   * address
   */
  async #addressesOf(hostname: string): Promise<string[] | undefined> {
    const ask = (method: 'resolve4' | 'resolve6'): Promise<string[] | undefined> =>
      new Promise((resolve) =>
        this.#resolver[method](hostname, (error, addresses) =>
          resolve(error ? (HAS_NO_ADDRESS.has(error.code) ? undefined : []) : addresses),
        ),
      )
    const [v4, v6] = await Promise.all([ask('resolve4'), ask('resolve6')])
    return v4 || v6 ? [...(v4 ?? []), ...(v6 ?? [])] : undefined
  }

  /** Describes a failure without quoting the receiver. */
  #describeFailure(error: unknown): string {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return `The receiver did not respond within ${this.#responseMilliseconds / 1000} seconds.`
    if (error instanceof PrivateHostError) return 'The receiver has no public address.'
    if (error instanceof NoAddressError) return 'The host name of the receiver has no address in DNS.'
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (NO_HTTP.has(code) || isNoHttp(error)) return 'The response of the receiver was not HTTP.'
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE')
      return 'The receiver closed the connection without a response.'
    if (code === 'ECONNREFUSED') return 'The receiver refused the connection.'
    if (/CERT|SSL|TLS|SIGNATURE|ALTNAME|ISSUER|EPROTO/.test(code)) return 'The TLS certificate of the receiver is invalid.'
    return 'The receiver could not be reached.'
  }
}

function wasUsedBefore({ socket }: { readonly socket: { readonly bytesRead?: number } | null }): boolean {
  return (socket?.bytesRead ?? 0) > 0
}

/**
 * Whether an error stands for a response that is not valid HTTP: one that the parser refused, or an unexpected informational response, such
 * as a change of protocol.
 */
function isNoHttp(error: unknown): boolean {
  return error instanceof Error && (error.name === 'HTTPParserError' || /^bad (?:response|upgrade)$/.test(error.message))
}

/** Reads a short body. If it is long or slow, the connection is closed instead. */
async function discardBody({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump({ limit: BODY.limit, signal: AbortSignal.timeout(BODY.milliseconds) }).catch(() => undefined)
}

/** The client's error codes for responses that it cannot read. */
const NO_HTTP: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

class NoAddressError extends Error {}

const PUBLIC_HOST = 'be the address of a public host, not of a private network'

/** The results of a name server for a name that does not exist, and for one without addresses. */
const HAS_NO_ADDRESS: ReadonlySet<string | null | undefined> = new Set([NOTFOUND, NODATA])

/**
 * Whether a name is one that RFC 6761 reserves for documentation and tests. It never has an address: examples are accepted, and their
 * deliveries fail.
 */
function isReservedName(hostname: string): boolean {
  return /\.(?:example|test)\.?$/i.test(hostname)
}

function isLiteral(hostname: string): boolean {
  return /^\[.*\]$|^[\d.]+$/.test(hostname)
}

/** Whether a host is a private address, or a name that every machine resolves to itself. */
function isPrivateName(hostname: string): boolean {
  return isPrivateHost(hostname) || /(?:^|\.)localhost\.?$/i.test(hostname)
}
