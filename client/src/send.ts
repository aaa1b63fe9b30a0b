import type { ClientOperation } from '../../generated/client_operations.ts'
import type { Call, FullResponse, ListCall } from '../../generated/resources.ts'
import { itemsOf, followPages } from './pages.ts'
import type { Calls } from './calls.ts'
import type { AnyInput } from './request.ts'
import type { SuccessfulCall } from './responses.ts'

/** Performs an operation. The types of the contract's operations are those of its callers. */
export function send(calls: Calls, operation: ClientOperation, input: AnyInput): Call<unknown> {
  const response = calls.call(operation, input)
  return operation.pagination ? new SentListCall(response, calls, operation, input) : new SentCall(response)
}

class SentCall extends Promise<unknown> implements Call<unknown> {
  readonly #response: Promise<SuccessfulCall>

  /** What `then` and `catch` return is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(response: Promise<SuccessfulCall>) {
    super((resolve, reject) => void response.then(({ data }) => resolve(data), reject))
    this.#response = response
  }

  withResponse(): Promise<FullResponse<unknown>> {
    // By way of `then`, so that a rejection of the call itself counts as handled.
    return this.then(() => this.#response)
  }
}

class SentListCall extends SentCall implements ListCall<unknown, unknown> {
  readonly #operation: ClientOperation
  readonly #pages: () => AsyncGenerator<unknown, void, undefined>

  constructor(response: Promise<SuccessfulCall>, calls: Calls, operation: ClientOperation, input: AnyInput) {
    super(response)
    this.#operation = operation
    this.#pages = () => followPages(calls, operation, input, this)
  }

  pages(): AsyncGenerator<unknown, void, undefined> {
    return this.#pages()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
    for await (const page of this.#pages()) yield* itemsOf(this.#operation, page)
  }

  async all({ limit = Infinity }: { readonly limit?: number } = {}): Promise<unknown[]> {
    const items: unknown[] = []
    for await (const page of this.#pages()) {
      items.push(...itemsOf(this.#operation, page).slice(0, limit - items.length))
      if (items.length >= limit) break
    }
    return items
  }
}
