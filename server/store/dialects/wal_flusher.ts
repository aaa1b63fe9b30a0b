import { outcomeUnknown } from '../../kernel/unavailable.ts'
import { isUnavailable } from './postgresql_failures.ts'
import { SharedFlush } from './shared_flush.ts'

/** A record in the log and a commit behind it, which the server brings to the disk together with everything before. */
const FLUSH = `select pg_logical_emit_message(true, 'workspace-service', '')::text`

/** Brings the log of the server to the disk for transactions that were committed without waiting for it. */
export class WalFlusher {
  readonly #shared: SharedFlush
  /** Whether this user may flush; undefined before that was tried. */
  #may: boolean | undefined

  /** @param run runs a statement as a transaction of its own */
  constructor(run: (text: string) => Promise<unknown>) {
    this.#shared = new SharedFlush(async () => void (await run(FLUSH)))
  }

  /** Whether it is known that the server can be asked. The first call finds out, behind the caller. */
  isReady(): boolean {
    if (this.#may === undefined) {
      this.#may = false
      this.#shared.run().then(
        () => (this.#may = true),
        // A server that is away will be asked again; one that refuses will not.
        (error: unknown) => (this.#may = isUnavailable(error) ? undefined : false),
      )
    }
    return this.#may
  }

  /**
   * @returns when everything that was committed before the call is on the disk
   * @throws ServiceError that leaves open whether it will stay
   */
  async flush(): Promise<void> {
    try {
      await this.#shared.run()
    } catch (error) {
      throw outcomeUnknown(error)
    }
  }
}
