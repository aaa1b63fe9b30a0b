import type { Mutate } from './mutations.ts'

/** A reader of what callers send, and what must hold for whatever it is given. */
export interface Target {
  readonly seeds: readonly string[]
  /** Tokens of its language. */
  readonly words: readonly string[]
  readonly mutate: Mutate
  /** UTF-16 units up to which an input is made longer to see whether time grows with it; left out where that says nothing. */
  readonly growsTo?: number
  /** @throws what shows that something does not hold */
  readonly check: (input: string) => void | Promise<void>
}

/** A promise that does not hold. One promise is reported once. */
export class Broken extends Error {
  /** @param promise the same words whatever the input */
  constructor(promise: string, detail = '') {
    super(detail === '' ? promise : `${promise}\n${detail}`)
  }
}

/** What findings of the same cause share. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`
  if (error instanceof Broken) return error.message.split('\n')[0] ?? ''
  const place = /at (?:async )?(?:new )?([\w.#<> ]+) \(/.exec(error.stack ?? '')?.[1] ?? ''
  return `${error.name} in ${place}: ${error.message.replace(/["'`].*["'`]|\d+/gs, '…').slice(0, 80)}`
}
