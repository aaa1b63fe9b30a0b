import { Resolver } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { isPrivateHost, isPublicAddress, PrivateHostError } from './public_hosts.ts'

interface WebhookReceiversOptions {
  /** Hosts (`hooks.internal` or `hooks.internal:8443`) that may be sent to although their addresses are not public. */
  readonly allowedHosts: readonly string[]
  /** First words of the signature header, such as `Service`. */
  readonly brands: readonly string[]
  /** Authorities whose certificates receivers may have, in PEM; left out, those that Node trusts. */
  readonly certificates?: readonly string[]
  /** Milliseconds that a receiver has for its answer, the connection included. */
  readonly answerMilliseconds?: number
  /** Asks for the addresses of hosts that are not among the allowed ones. */
  readonly resolver?: Resolver
}

interface SentBody {
  readonly url: string
  readonly body: string
  readonly signature: string
}

interface Reply {
  /** Null when there was no answer. */
  readonly statusCode: number | null
  /** A sentence that says what went wrong; null where the body was acknowledged. */
  readonly error: string | null
}

const ANSWER_MS = 10_000
const DNS = { timeout: 2_000, tries: 2 }
/** Bodies of answers are ignored; a short one is read so that its connection can be used again. */
const IGNORED_BYTES_MAX = 64 * 1024
const IGNORED_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024
/** Connections without a delivery are kept for so long, and so many to one host: several subscriptions may lead there. */
const KEPT = { keepAlive: true, timeout: 15_000, maxFreeSockets: 100 }

interface Agents {
  /** To hosts that the operator allows. */
  readonly allowed: Agent
  /** To public addresses. */
  readonly guarded: Agent
}

/**
 * Sends webhooks over HTTPS. Names are resolved without the operating system, whose resolver has few threads that slow name servers
 * could occupy; each connection goes to an address that was found to be public, unless the operator allows its host.
 */
export class WebhookReceivers {
  readonly #allowedHosts: readonly string[]
  readonly #signatureHeaders: readonly string[]
  readonly #answerMilliseconds: number
  readonly #resolver: Resolver
  readonly #certificates: readonly string[] | undefined
  #made: Agents | undefined

  constructor(options: WebhookReceiversOptions) {
    const { allowedHosts, brands, certificates, answerMilliseconds = ANSWER_MS, resolver = new Resolver(DNS) } = options
    this.#allowedHosts = allowedHosts
    this.#certificates = certificates
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

  /** Posts a body and waits for the answer. @throws what `signal` is aborted with, nothing else */
  async send(sent: SentBody, signal: AbortSignal): Promise<Reply> {
    const ending = new AbortController()
    const abort = (): void => ending.abort()
    const timer = setTimeout(abort, this.#answerMilliseconds)
    signal.addEventListener('abort', abort)
    try {
      const statusCode = await this.#post(sent, ending.signal).catch((error: unknown) => {
        // The receiver had closed a kept connection before it saw the request.
        if (error instanceof StaleConnectionError) return this.#post(sent, ending.signal)
        throw error
      })
      const isAcknowledged = statusCode >= 200 && statusCode < 300
      return { statusCode, error: isAcknowledged ? null : `The receiver answered with status ${statusCode}.` }
    } catch (error) {
      signal.throwIfAborted()
      const late = `The receiver did not answer within ${this.#answerMilliseconds / 1000} seconds.`
      return { statusCode: null, error: ending.signal.aborted ? late : wordsFor(error) }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#made?.guarded.destroy()
    this.#made?.allowed.destroy()
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
          'User-Agent': 'workspace-service',
          ...Object.fromEntries(this.#signatureHeaders.map((name) => [name, signature])),
        },
      })
      // From the first line of the answer on, nothing that happens to the rest changes what it says.
      let hasAnswered = false
      request.on('response', (response) => {
        hasAnswered = true
        void ignored(response).then(() => resolve(response.statusCode ?? 0))
      })
      request.on('error', (error) => {
        if (!hasAnswered) reject(request.reusedSocket && isReset(error) ? new StaleConnectionError() : error)
      })
      request.end(bytes)
    })
  }

  /** Made when they are needed. To gather what is trusted for each connection takes longer than all else about it. */
  get #agents(): Agents {
    if (this.#made) return this.#made
    const options = { ...KEPT, secureContext: createSecureContext(this.#certificates && { ca: [...this.#certificates] }) }
    this.#made = { allowed: new Agent(options), guarded: new Agent({ ...options, lookup: this.#lookup }) }
    return this.#made
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

  /** All addresses of a name, those of version 4 first; none where it has none or nobody says. */
  async #addressesOf(hostname: string): Promise<string[]> {
    const ask = (method: 'resolve4' | 'resolve6'): Promise<string[]> =>
      new Promise((resolve) => this.#resolver[method](hostname, (error, addresses) => resolve(error ? [] : addresses)))
    return (await Promise.all([ask('resolve4'), ask('resolve6')])).flat()
  }
}

class StaleConnectionError extends Error {}
class NoAddressError extends Error {}

/** Reads the body of an answer to its end, or closes its connection if that is far. */
async function ignored(response: IncomingMessage): Promise<void> {
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

/** A private address, or a name that every machine takes for itself. */
function isPrivateName(hostname: string): boolean {
  return isPrivateHost(hostname) || /(?:^|\.)localhost\.?$/i.test(hostname)
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver broke the connection off.',
  EPIPE: 'The receiver broke the connection off.',
}

/** Says what went wrong without words of the receiver's. */
function wordsFor(error: unknown): string {
  if (error instanceof PrivateHostError) return 'The receiver has no public address.'
  if (error instanceof NoAddressError) return 'The name of the receiver has no address.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = WORDS[code]
  if (known !== undefined) return known
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME|ISSUER|EPROTO/.test(code)) return 'The receiver could not prove who it is (TLS).'
  if (code.startsWith('HPE_')) return 'The receiver did not answer in HTTP.'
  return 'The receiver could not be reached.'
}
