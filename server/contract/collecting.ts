import type { ErrorObject } from 'ajv'
import { Places, type KeyPositions } from './places.ts'
import { PLACES_NAMED_MAX, namedErrors, type KeyRule } from './violations.ts'

/** What the compiled validators call while they run, see `boundedCode`. They are synchronous, so one run ends before the next begins. */
export interface Collecting {
  /** Appends the errors of a validator that has just run to a list. @returns the list, which is a new one if there was none */
  readonly join: (errors: ErrorObject[] | null, validator: { errors?: ErrorObject[] | null }) => ErrorObject[]
  /** Reduces the errors of a value to those that an answer would name. */
  readonly named: (errors: ErrorObject[], node: unknown, pointer: string) => ErrorObject[]
  /**
   * Removes an unknown key from an object if the run ignores it.
   * @param found how many other errors of the object have been reported
   * @returns whether not to report the key: because it is ignored, or because an answer would not name it
   */
  readonly passesOver: (object: object, key: string, found: number) => boolean
  /** Whether members are visited even if an answer would not name their errors, so that ignored keys are removed from all of them. */
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
    // Errors refer to the body, which would stay in memory until the validator fails again.
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
 * @param ignoresKey tells which unknown keys are removed from the request instead of reported
 * @returns an object that tells, at any time, whether a key has been removed
 */
export function beginRun(ignoresKey: KeyRule | undefined): { readonly isChanged: boolean } {
  return (run = newRun(ignoresKey))
}

function newRun(ignoresKey: KeyRule | undefined): Run {
  return { positions: new WeakMap(), ignoresKey, isChanged: false }
}
