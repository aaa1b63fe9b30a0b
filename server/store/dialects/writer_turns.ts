import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction } from '../database.ts'
import type { WaitLimit } from './mutex.ts'

/** Who changes something in a workspace, and is answered once that is committed. */
export interface WaitingWriter {
  /** Whether others may be carried out in the same transaction. */
  readonly mayShare: boolean
  /** Does its work, which may be done anew. @returns what answers it */
  perform(transaction: Transaction): Promise<() => void>
  reject(error: unknown): void
}

interface TimedWriter extends WaitingWriter {
  /** Ends the wait; left out for one that need not wait. */
  readonly timer?: NodeJS.Timeout | undefined
}

/** The most writers of one turn. */
const WRITERS_MAX = 16

/** A turn of a workspace: for its first writer, who may take along others that waited when it began. */
export class WriterTurn {
  readonly #queue: TimedWriter[]
  #left: number

  constructor(queue: TimedWriter[]) {
    this.#queue = queue
    this.#left = Math.min(queue.length, WRITERS_MAX)
  }

  /** Takes the writer whose turn it is. */
  first(): WaitingWriter | undefined {
    const writer = this.#take()
    if (writer?.mayShare !== true) this.#left = 0
    return writer
  }

  /** Whether there is a writer to take along. */
  get isShared(): boolean {
    return this.#left > 0 && this.#queue[0]?.mayShare === true
  }

  /** Takes along the next writer, in the order in which they came; undefined where there is none. */
  next(): WaitingWriter | undefined {
    return this.isShared ? this.#take() : undefined
  }

  #take(): WaitingWriter | undefined {
    const writer = this.#queue.shift()
    clearTimeout(writer?.timer)
    this.#left -= 1
    return writer
  }

  /** Gives the next turn to a writer that was taken. */
  giveBack(writer: WaitingWriter): void {
    this.#left = 0
    this.#queue.unshift(writer)
  }
}

/** Gives the writers of each workspace turns, in the order in which they came. */
export class WriterTurns {
  readonly #limit: WaitLimit
  readonly #carryOut: (workspaceId: string, turn: WriterTurn) => Promise<void>
  readonly #queues = new Map<string, TimedWriter[]>()

  /** @param carryOut answers or gives back every writer that it takes, and takes at least one; the turn ends with it */
  constructor(limit: WaitLimit, carryOut: (workspaceId: string, turn: WriterTurn) => Promise<void>) {
    this.#limit = limit
    this.#carryOut = carryOut
  }

  /** The number of writers that nobody has begun with. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { length }) => sum + length, 0)
  }

  /** Whether somebody waits for the turn of a workspace to end. */
  isAwaited(workspaceId: string): boolean {
    return (this.#queues.get(workspaceId)?.length ?? 0) > 0
  }

  run<T>(workspaceId: string, work: (transaction: Transaction) => Promise<T>, mayShare: boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const perform = async (transaction: Transaction): Promise<() => void> => {
      const result = await work(transaction)
      return () => resolve(result)
    }
    const writer: WaitingWriter = { mayShare, perform, reject }
    const queue = this.#queues.get(workspaceId)
    if (queue) queue.push(this.#limited(queue, writer))
    else void this.#serve(workspaceId, [writer])
    return promise
  }

  #limited(queue: TimedWriter[], writer: WaitingWriter): TimedWriter {
    const giveUp = (): void => {
      queue.splice(queue.indexOf(waiting), 1)
      writer.reject(this.#limit.exhausted())
    }
    // Whoever ends a turn begins the next one: the work is still that of its own request.
    const inOwnContext = AsyncLocalStorage.snapshot()
    const perform: WaitingWriter['perform'] = (transaction) => inOwnContext(() => writer.perform(transaction))
    const waiting = { ...writer, perform, timer: setTimeout(giveUp, this.#limit.milliseconds) }
    return waiting
  }

  async #serve(workspaceId: string, queue: TimedWriter[]): Promise<void> {
    this.#queues.set(workspaceId, queue)
    while (queue.length > 0) await this.#carryOut(workspaceId, new WriterTurn(queue))
    this.#queues.delete(workspaceId)
  }
}
