import { isIP, type LookupFunction } from 'node:net'
import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { ResponseReader } from './response_reader.ts'

/** A request did not get its answer in time. */
export class LateError extends Error {}
/** The other side closed the connection before it answered. */
export class BrokenOffError extends Error {}
/** The other side had closed an idle connection before it saw the request. */
class StaleConnectionError extends BrokenOffError {}

/** How long idle connections are kept, and how many to one host, which several subscriptions may share. */
const IDLE_MS = 15_000
const IDLE_MAX = 100
const SESSIONS_MAX = 100
/** How long the rest of an answer is waited for, whose status is known. */
const BODY_MS = 1_000

interface ConnectionTerms {
  readonly secureContext: SecureContext
  /** Finds the address of a new connection. */
  readonly lookup?: LookupFunction
}

/** The limits of an exchange. */
interface ExchangeLimits {
  readonly signal: AbortSignal
  /** Including the time to connect. */
  readonly milliseconds: number
}

/**
 * Posts small messages over HTTP/1.1 and TLS, and keeps the connections. Node's own client does the same for any request; for one of a
 * kilobyte whose answer is only a status, it takes four times the processor time.
 */
export class KeptConnections {
  readonly #terms: ConnectionTerms
  /** By host; the one that was used last is taken first. */
  readonly #idle = new Map<string, KeptConnection[]>()
  readonly #all = new Set<KeptConnection>()
  /** By host, so that further connections take less. */
  readonly #sessions = new Map<string, Buffer>()

  constructor(terms: ConnectionTerms) {
    this.#terms = terms
  }

  /**
   * @param message the whole request
   * @returns the status of the answer
   * @throws LateError, BrokenOffError, NotHttpError, the reason of the signal, or the error of the connection
   */
  async post(url: URL, message: string, { signal, milliseconds }: ExchangeLimits): Promise<number> {
    let connection = this.#idle.get(url.host)?.pop() ?? this.#open(url)
    const timer = setTimeout(() => connection.close(new LateError()), milliseconds)
    const abort = (): void => connection.close(signal.reason)
    signal.addEventListener('abort', abort)
    try {
      return await connection.post(message).catch((error: unknown) => {
        if (!(error instanceof StaleConnectionError)) throw error
        connection = this.#open(url)
        return connection.post(message)
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  /** Closes all connections. */
  close(): void {
    for (const connection of this.#all) connection.close(new BrokenOffError())
  }

  #open({ host, hostname, port }: URL): KeptConnection {
    const name = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      ...this.#terms,
      host: name,
      port: Number(port || 443),
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      session: this.#sessions.get(host),
    })
    socket.on('session', (session) => this.#keepSession(host, session))
    const connection: KeptConnection = new KeptConnection(socket, {
      idle: () => this.#keep(host, connection),
      closed: () => this.#forget(host, connection),
    })
    this.#all.add(connection)
    return connection
  }

  #keep(host: string, connection: KeptConnection): void {
    const idle = this.#idle.get(host) ?? []
    if (idle.length >= IDLE_MAX) return connection.close(new BrokenOffError())
    idle.push(connection)
    this.#idle.set(host, idle)
  }

  #forget(host: string, connection: KeptConnection): void {
    this.#all.delete(connection)
    const left = this.#idle.get(host)?.filter((one) => one !== connection) ?? []
    if (left.length > 0) this.#idle.set(host, left)
    else this.#idle.delete(host)
  }

  #keepSession(host: string, session: Buffer): void {
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear()
    this.#sessions.set(host, session)
  }
}

interface ConnectionEvents {
  /** Another message may be posted. */
  idle(): void
  closed(): void
}

/** An exchange that has not ended. */
interface Exchange {
  readonly response: ResponseReader
  readonly answer: PromiseWithResolvers<number>
  hasArrived: boolean
  timer: NodeJS.Timeout | undefined
}

/** A connection, with one exchange at a time. */
class KeptConnection {
  readonly #socket: TLSSocket
  readonly #events: ConnectionEvents
  #exchange: Exchange | undefined
  #isUsed = false
  #isClosed = false

  constructor(socket: TLSSocket, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    socket.setNoDelay(true)
    socket.setTimeout(IDLE_MS)
    socket.on('timeout', () => {
      if (!this.#exchange) this.close(new BrokenOffError())
    })
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', (error: NodeJS.ErrnoException) => this.close(isReset(error) ? new BrokenOffError() : error))
    socket.on('end', () => this.close(new BrokenOffError()))
    socket.on('close', () => this.close(new BrokenOffError()))
  }

  /** @returns the status of the answer */
  post(message: string): Promise<number> {
    const answer = Promise.withResolvers<number>()
    this.#exchange = { response: new ResponseReader(), answer, hasArrived: false, timer: undefined }
    this.#socket.ref()
    this.#socket.write(message)
    return answer.promise
  }

  /** Ends the exchange, with its status if that has arrived. */
  close(error: unknown): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroy()
    this.#events.closed()
    const exchange = this.#end()
    if (!exchange) return
    const { response, answer, hasArrived } = exchange
    if (response.statusCode !== undefined) answer.resolve(response.statusCode)
    else if (error instanceof BrokenOffError && this.#isUsed && !hasArrived) answer.reject(new StaleConnectionError())
    else answer.reject(error)
  }

  #read(bytes: Buffer): void {
    const exchange = this.#exchange
    // What nobody has asked for.
    if (!exchange) return this.close(new BrokenOffError())
    exchange.hasArrived = true
    try {
      if (exchange.response.read(bytes)) this.#finish(exchange)
      else if (exchange.response.statusCode !== undefined)
        exchange.timer ??= setTimeout(() => this.close(new BrokenOffError()), BODY_MS)
    } catch (error) {
      this.close(error)
    }
  }

  #finish({ response, answer }: Exchange): void {
    if (!response.canFollow) return this.close(new BrokenOffError())
    this.#end()
    this.#isUsed = true
    // It does not keep the process alive.
    this.#socket.unref()
    this.#events.idle()
    answer.resolve(response.statusCode ?? 0)
  }

  #end(): Exchange | undefined {
    const exchange = this.#exchange
    this.#exchange = undefined
    clearTimeout(exchange?.timer)
    return exchange
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
