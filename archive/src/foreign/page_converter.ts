import { once } from 'node:events'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { yieldToEventLoop } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { startConversionThread } from './start_conversion_thread.ts'
import { convertPage, type ConvertedPage, type FindTargets, type PageToConvert } from './convert_page.ts'
import { readForeignPage, type ForeignPage } from './foreign_page.ts'
import { SerialQueue } from '../import/serial_queue.ts'

/** To the thread: a page, and the port for messages about it. */
export interface ConversionOrder {
  readonly page: PageToConvert
  readonly port: MessagePort
}

/** From the thread: addresses to resolve, or the end. */
export type ConversionReport =
  | { readonly addresses: readonly string[] }
  | { readonly converted: ConvertedPage }
  | { readonly failure: unknown }

/** Longer texts are converted in a thread. This many characters take about 10 ms at worst. */
const LENGTH_MAX = 4 * 1024

/** Converts pages of other programs. Slow conversions run in a thread, so that they do not block other work. */
export class PageConverter {
  readonly #queue = new SerialQueue()
  #thread: Worker | undefined
  #ended = Promise.withResolvers<never>()

  convert(page: PageToConvert, findTargets: FindTargets): Promise<ConvertedPage> {
    const isShort = page.written.length <= LENGTH_MAX
    return isShort ? this.#inOwnTurn(() => convertPage(page, findTargets)) : this.#convertInThread(page, findTargets)
  }

  readHead(...page: Parameters<typeof readForeignPage>): Promise<ForeignPage> {
    return this.#inOwnTurn(async () => readForeignPage(...page))
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  /** Runs conversions one at a time: many short pages at once would block as long as a long page. */
  #inOwnTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      await yieldToEventLoop()
      return work()
    })
  }

  async #convertInThread(page: PageToConvert, findTargets: FindTargets): Promise<ConvertedPage> {
    const { port1: own, port2: port } = new MessageChannel()
    const order: ConversionOrder = { page, port }
    this.#startedThread().postMessage(order, [port])
    try {
      for (;;) {
        const report = await Promise.race([reportFrom(own), this.#ended.promise])
        if ('converted' in report) return report.converted
        if ('failure' in report) throw report.failure
        own.postMessage(await findTargets(report.addresses))
      }
    } finally {
      own.close()
    }
  }

  #startedThread(): Worker {
    if (this.#thread) return this.#thread
    const thread = startConversionThread()
    const ended = Promise.withResolvers<never>()
    ended.promise.catch(() => undefined)
    // A text may need more memory than the thread has.
    thread.on('error', ended.reject)
    thread.on('exit', () => {
      this.#thread = undefined
      ended.reject(new Error('The worker thread that converts pages ended unexpectedly.'))
    })
    ;[this.#thread, this.#ended] = [thread, ended]
    return thread
  }
}

async function reportFrom(port: MessagePort): Promise<ConversionReport> {
  const [report] = (await once(port, 'message')) as [ConversionReport]
  return report
}
