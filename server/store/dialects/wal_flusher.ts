import { ServiceError } from '../../kernel/errors.ts'
import { outcomeUnknown } from '../../kernel/unavailable.ts'
import { isUnavailable } from './postgresql_failures.ts'
import { SharedFlush } from './shared_flush.ts'

/** A record in the log and a commit behind it, which the server brings to the disk together with everything before. */
const FLUSH = `select pg_logical_emit_message(true, 'workspace-service', '')::text`

/** A connection that only flushes. */
export interface FlushConnection {
  run(text: string): Promise<unknown>
  /** Called once, when the connection is gone. */
  onEnd(listener: () => void): void
  close(): void
}

/**
 * @returns when everything that was committed before the call is on the disk
 * @throws ServiceError that leaves open whether it will stay
 */
export type Flush = () => Promise<void>

interface Line {
  readonly flush: Flush
  readonly idle: NodeJS.Timeout
  close(): Promise<void>
}

/**
 * Brings the log of the server to the disk for transactions that were committed without waiting for it. A server that starts anew has
 * lost what was not on the disk, and would flush what is left without a complaint. So a commit needs a flush from before the
 * commit, over a connection that no restart survives.
 */
export class WalFlusher {
  readonly #connect: () => Promise<FlushConnection>
  readonly #idleMs: number
  #line: Line | undefined
  #opening: Promise<void> | undefined
  /** False once the server has refused to flush for this user. */
  #may = true

  /** @param idleMs after which a connection without flushes is closed */
  constructor(connect: () => Promise<FlushConnection>, idleMs: number) {
    this.#connect = connect
    this.#idleMs = idleMs
  }

  /** The flush for a commit that begins now; undefined where there is no connection for it, which the call then opens behind the caller. */
  ready(): Flush | undefined {
    this.#line?.idle.refresh()
    if (this.#may && this.#line === undefined) this.#opening ??= this.#open()
    return this.#line?.flush
  }

  async close(): Promise<void> {
    this.#may = false
    await this.#opening
    await this.#line?.close()
  }

  async #open(): Promise<void> {
    let connection: FlushConnection | undefined
    try {
      connection = await this.#connect()
      await connection.run(FLUSH)
      this.#keep(connection)
    } catch (error) {
      connection?.close()
      // A server that is away, or that has too much to do, will be asked again.
      this.#may &&= error instanceof ServiceError || isUnavailable(error)
    }
    this.#opening = undefined
  }

  #keep(connection: FlushConnection): void {
    const shared = new SharedFlush(async () => void (await connection.run(FLUSH)))
    const line: Line = {
      flush: () =>
        shared.run().catch((error: unknown) => {
          throw outcomeUnknown(error)
        }),
      idle: setTimeout(() => void line.close(), this.#idleMs).unref(),
      close: async () => {
        forget()
        await shared.idle()
        connection.close()
      },
    }
    const forget = (): void => {
      clearTimeout(line.idle)
      if (this.#line === line) this.#line = undefined
    }
    this.#line = line
    connection.onEnd(() => {
      forget()
      connection.close()
    })
  }
}
