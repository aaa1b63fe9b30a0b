/** Makes `generated/` after each save, in a thread, which remembers what it has read and made before. */

import { Worker } from 'node:worker_threads'

/** What the thread is told: to begin anew, that it may go on with what the mock and the service do not need, or to end. */
export type GenerationOrder = 'begin' | 'go on' | 'end'

/** What the thread tells, with how many files it has written since it told the last. After `forPrograms` it waits until it may go on. */
export type News =
  | { readonly is: 'forPrograms'; readonly written: number }
  | { readonly is: 'all'; readonly written: number; readonly removed: number; readonly count: number }
  | { readonly is: 'faults'; readonly faults: readonly string[] }

export interface ThreadData {
  readonly root: string
  readonly out: string
}

export class Generation {
  readonly #thread: Worker
  readonly #ended: Promise<unknown>

  /** @param hear called with the news of the last order */
  constructor(data: ThreadData, hear: (news: News) => void) {
    this.#thread = new Worker(new URL('./generation_thread.ts', import.meta.url), { workerData: data })
    this.#thread.on('message', hear)
    this.#ended = new Promise((done) => this.#thread.once('exit', done))
  }

  /** Reads the contract from disk and begins to generate; work that is under way for an earlier state ends. */
  begin(): void {
    this.#tell('begin')
  }

  goOn(): void {
    this.#tell('go on')
  }

  /** Leaves `generated/` as it was when all of it had last been written. */
  async end(): Promise<void> {
    this.#tell('end')
    await this.#ended
  }

  #tell(order: GenerationOrder): void {
    this.#thread.postMessage(order)
  }
}
