import type { ErrorObject } from 'ajv'
import { Places, type KeyPositions } from './places.ts'
import { PLACES_NAMED_MAX, namedErrors, type KeyRule } from './violations.ts'

/** What the compiled validators call while they run (`boundedCode`). Validators never wait, so one run ends before the next begins. */
export interface Collecting {
  /** Adds what a validator has just reported. @returns the longer list, which may be the one given */
  readonly join: (errors: ErrorObject[] | null, validator: { errors?: ErrorObject[] | null }) => ErrorObject[]
  /** @returns those of a node's errors that an answer names, when they are many */
  readonly named: (errors: ErrorObject[], node: unknown, pointer: string) => ErrorObject[]
  /**
   * Takes a key that no schema knows out of an object, where the run ignores such keys.
   * @param found how many others of the object were reported
   * @returns whether it is not reported: ignored, or behind the last that an answer names
   */
  readonly passesOver: (object: object, key: string, found: number) => boolean
  /** Whether members behind the last that an answer names are visited all the same: for the keys to be taken out of them. */
  readonly visitsAll: boolean
}

interface Run {
  readonly positions: KeyPositions
  readonly ignoresKey: KeyRule | undefined
  isChanged: boolean
}

let run: Run = newRun(undefined)

export const collecting: Collecting = {
  join(errors, validator) {
    const more = validator.errors ?? []
    // What stays on a validator would keep a part of the body in memory until the validator fails again.
    validator.errors = null
    if (errors === null) return more
    for (const error of more) errors.push(error)
    return errors
  },
  named: (errors, node, pointer) => namedErrors(errors, new Places(node, pointer, run.positions)),
  passesOver(object, key, found) {
    if (run.ignoresKey?.(key) !== true) return found >= PLACES_NAMED_MAX
    Reflect.deleteProperty(object, key)
    return (run.isChanged = true)
  },
  get visitsAll() {
    return run.ignoresKey !== undefined
  },
}

/**
 * Begins a run of the validators.
 * @param ignoresKey unknown keys that are taken out of the request instead of reported
 * @returns tells whether a key was taken out
 */
export function beginRun(ignoresKey: KeyRule | undefined): { readonly isChanged: boolean } {
  return (run = newRun(ignoresKey))
}

function newRun(ignoresKey: KeyRule | undefined): Run {
  return { positions: new WeakMap(), ignoresKey, isChanged: false }
}
