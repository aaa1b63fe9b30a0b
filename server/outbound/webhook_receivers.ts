import { Resolver } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { isPrivateHost, isPublicAddress, PrivateHostError } from './public_hosts.ts'
import { userAgentOf } from './user_agent.ts'

interface WebhookReceiversOptions {
  /** Hosts (`hooks.internal` or `hooks.internal:8443`) that webhooks may be sent to although their addresses are not public. */
  readonly allowedHosts: readonly string[]
  /** First words of the signature header, such as `Service`. */
  readonly brands: readonly string[]
  /** Trusted certificate authorities, in PEM; by default, those that Node trusts. */
  readonly certificates?: readonly string[]
  /** Milliseconds that a receiver has to respond, including the time to connect. */
  readonly answerMilliseconds?: number
  /** Resolves the names of all but the allowed hosts. */
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
  /** A sentence that says what went wrong; null if the body was acknowledged. */
  readonly error: string | null
}

const ANSWER_MS = 10_000
const DNS = { timeout: 2_000, tries: 2 }
/** Response bodies are ignored; short ones are read so that their connections can be reused. */
const IGNORED_BYTES_MAX = 64 * 1024
const IGNORED_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024
/** How long idle connections are kept, and how many to one host, which several subscriptions may share. */
const KEEP_ALIVE = { keepAlive: true, timeout: 15_000, maxFreeSockets: 100 }

interface Agents {
  /** For hosts that the operator allows. */
  readonly allowed: Agent
  /** For public addresses. */
  readonly guarded: Agent
}

/**
 * Sends webhooks over HTTPS. Names are resolved without the operating system, whose resolver has few threads that slow name servers
 * could occupy; each connection goes to an address that was found to be public, unless the operator allows its host.
 */
export class WebhookReceivers {
  readonly #allowedHosts: readonly string[]
  readonly #signatureHeaders: readonly string[]
  readonly #userAgent: string
  readonly #answerMilliseconds: number
  readonly #resolver: Resolver
  readonly #certificates: readonly string[] | undefined
  #existingAgents: Agents | undefined

  constructor(options: WebhookReceiversOptions) {
    const { allowedHosts, brands, certificates, answerMilliseconds = ANSWER_MS, resolver = new Resolver(DNS) } = options
    this.#allowedHosts = allowedHosts
    this.#certificates = certificates
    this.#userAgent = userAgentOf(brands)
    this.#signatureHeaders = brands.map((brand) => `X-${brand}-Signature`)
    this.#answerMilliseconds = answerMilliseconds
    this.#resolver = resolver
  }

  /**
   * @returns why an address may not be used, ending the sentence "body.url should …"; undefined for one that may, and for a name that
   * cannot be resolved now: every connection is checked again
   */
  async refusalOf(text: string): Promise<string | undefined> {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '')
      return 'be an https url without credentials and fragment'
    if (this.#isAllowed(url)) return undefined
    const addresses = isLiteral(url.hostname) ? [] : await this.#addressesOf(url.hostname)
    const isPrivate = isPrivateName(url.hostname) || addresses.some((address) => !isPublicAddress(address))
    return isPrivate ? 'lead to a public host, not into a private network' : undefined
  }

  /** Posts a body and waits for the response. @throws only the reason of `signal` */
  async send(sent: SentBody, signal: AbortSignal): Promise<Reply> {
    const ending = new AbortController()
    const abort = (): void => ending.abort()
    const timer = setTimeout(abort, this.#answerMilliseconds)
    signal.addEventListener('abort', abort)
    try {
      const statusCode = await this.#post(sent, ending.signal).catch((error: unknown) => {
        // The receiver closed an idle connection before it saw the request.
        if (error instanceof StaleConnectionError) return this.#post(sent, ending.signal)
        throw error
      })
      const isAcknowledged = statusCode >= 200 && statusCode < 300
      return { statusCode, error: isAcknowledged ? null : `The receiver answered with status ${statusCode}.` }
    } catch (error) {
      signal.throwIfAborted()
      const late = `The receiver did not answer within ${this.#answerMilliseconds / 1000} seconds.`
      return { statusCode: null, error: ending.signal.aborted ? late : describeFailure(error) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#existingAgents?.guarded.destroy()
    this.#existingAgents?.allowed.destroy()
  }

  #post({ url: text, body, signature }: SentBody, signal: AbortSignal): Promise<number> {
    const url = new URL(text)
    const isAllowed = this.#isAllowed(url)
    const bytes = Buffer.from(body)
    return new Promise((resolve, reject) => {
      // A literal address is not looked up.
      if (!isAllowed && isPrivateName(url.hostname)) return reject(new PrivateHostError())
      const request = httpsRequest(url, {
        method: 'POST',
        signal,
        agent: isAllowed ? this.#agents.allowed : this.#agents.guarded,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': bytes.byteLength,
          'User-Agent': this.#userAgent,
          ...Object.fromEntries(this.#signatureHeaders.map((name) => [name, signature])),
        },
      })
      // Once the status line has arrived, nothing that happens to the rest of the response matters.
      let hasAnswered = false
      request.on('response', (response) => {
        hasAnswered = true
        void drained(response).then(() => resolve(response.statusCode ?? 0))
      })
      request.on('error', (error) => {
        if (!hasAnswered) reject(request.reusedSocket && isReset(error) ? new StaleConnectionError() : error)
      })
      request.end(bytes)
    })
  }

  /** Created when first needed, with one TLS context: creating one per connection would take longer than everything else. */
  get #agents(): Agents {
    if (this.#existingAgents) return this.#existingAgents
    const options = { ...KEEP_ALIVE, secureContext: createSecureContext(this.#certificates && { ca: [...this.#certificates] }) }
    this.#existingAgents = { allowed: new Agent(options), guarded: new Agent({ ...options, lookup: this.#lookup }) }
    return this.#existingAgents
  }

  #isAllowed({ host, hostname }: URL): boolean {
    return this.#allowedHosts.some((allowed) => allowed === host || allowed === hostname)
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    this.#addressesOf(hostname).then(
      (addresses) => {
        const usable = addresses.filter(isPublicAddress).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const [first] = usable
        if (!first) callback(addresses.length > 0 ? new PrivateHostError() : new NoAddressError(), '', 0)
        else if (options.all) callback(null, usable)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new NoAddressError(), '', 0),
    )
  }

  /** All addresses of a name, IPv4 first; none if it has none or cannot be resolved. */
  async #addressesOf(hostname: string): Promise<string[]> {
    const ask = (method: 'resolve4' | 'resolve6'): Promise<string[]> =>
      new Promise((resolve) => this.#resolver[method](hostname, (error, addresses) => resolve(error ? [] : addresses)))
    return (await Promise.all([ask('resolve4'), ask('resolve6')])).flat()
  }
}

class StaleConnectionError extends Error {}
class NoAddressError extends Error {}

/** Reads a response body to its end, or closes the connection if it is long. */
async function drained(response: IncomingMessage): Promise<void> {
  let bytes = 0
  const ended = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => response.destroy(), IGNORED_MS)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > IGNORED_BYTES_MAX) response.destroy()
  })
  response.on('error', () => undefined)
  response.on('close', () => ended.resolve(undefined))
  await ended.promise
  clearTimeout(timer)
}

function isLiteral(hostname: string): boolean {
  return /^\[.*\]$|^[\d.]+$/.test(hostname)
}

/** A private address, or a name that every machine resolves to itself. */
function isPrivateName(hostname: string): boolean {
  return isPrivateHost(hostname) || /(?:^|\.)localhost\.?$/i.test(hostname)
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver broke the connection off.',
  EPIPE: 'The receiver broke the connection off.',
}

/** Describes a failure without quoting the receiver. */
function describeFailure(error: unknown): string {
  if (error instanceof PrivateHostError) return 'The receiver has no public address.'
  if (error instanceof NoAddressError) return 'The name of the receiver has no address.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FAILURES[code]
  if (known !== undefined) return known
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME|ISSUER|EPROTO/.test(code)) return 'The receiver could not prove who it is (TLS).'
  if (code.startsWith('HPE_')) return 'The receiver did not answer in HTTP.'
  return 'The receiver could not be reached.'
}
