import type { Mutate } from './mutations.ts'

/** A parser of caller input, with the properties that must hold for every input. */
export interface Target {
  readonly seeds: readonly string[]
  /** Tokens of its language. */
  readonly words: readonly string[]
  readonly mutate: Mutate
  /** UTF-16 units up to which an input is lengthened to check that time grows linearly; omitted if that check is meaningless. */
  readonly growsTo?: number
  /** @throws an error that shows which property is violated */
  readonly check: (input: string) => void | Promise<void>
}

/** A violated property. Each property is reported once. */
export class Broken extends Error {
  /** @param promise the same words for every input */
  constructor(promise: string, detail = '') {
    super(detail === '' ? promise : `${promise}\n${detail}`)
  }
}

/** The key that findings of the same cause share. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`
  if (error instanceof Broken) return error.message.split('\n')[0] ?? ''
  const location = /at (?:async )?(?:new )?([\w.#<> ]+) \(/.exec(error.stack ?? '')?.[1] ?? ''
  return `${error.name} in ${location}: ${error.message.replace(/["'`].*["'`]|\d+/gs, '…').slice(0, 80)}`
}
