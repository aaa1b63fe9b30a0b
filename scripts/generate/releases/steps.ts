/** Steps from a contract to that of the previous release, from `contract` of the changes in `spec/versions/`. */

import type { Schema, SchemaOrBoolean } from '../document.ts'
import type { WordChanges } from './reworded.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** Selects the schemas that a step changes. */
export type Selector =
  | string
  | string[]
  /** schemas whose names contain a word and that have a property */
  | { named: string; having: string }
  /** `allOf` names the schema */
  | { extending: string }

export interface SchemaStep {
  in: Selector
  /** keys had other names: properties, values of enums, tags and payload keys */
  rename?: Record<string, string>
  /** properties that were there */
  add?: Record<string, SchemaOrBoolean>
  /** whether what is added is always present */
  required?: boolean
  /** properties that must not stand together */
  apart?: string[]
  /** properties that were not there */
  remove?: string[]
  /** variants that the union did not have */
  without?: string[]
  /** variants that it had; by their tags where the union has a discriminator */
  with?: string[] | Record<string, string>
  /** a property that was not there, nor the one that its value names */
  unnamed?: string
  /** a JSON merge patch: null takes a key away */
  merge?: Record<string, unknown>
  /** descriptions said something else */
  words?: WordChanges
}

export type ReleaseStep = { before?: string } & (
  | SchemaStep
  | { define: Record<string, Schema> }
  | { open: 'requests' }
  | { operation: string; answers_like: string }
  | { told: string; words: WordChanges }
)

const SCHEMA_KEYS = ['in', 'rename', 'add', 'required', 'apart', 'remove', 'without', 'with', 'unnamed', 'merge', 'words']
const FORMS = [SCHEMA_KEYS, ['define'], ['open'], ['operation', 'answers_like'], ['told', 'words']]

/** Reads the steps of one change. Throws when one has a form that no step has. */
export function parseSteps(place: string, value: unknown): ReleaseStep[] {
  if (!Array.isArray(value)) throw new Error(`${place}: contract is not a list of steps`)
  return value.map((step: unknown) => {
    const keys = isObject(step) ? Object.keys(step).filter((key) => key !== 'before') : []
    const form = FORMS.find(([first]) => first !== undefined && keys.includes(first))
    const stranger = form === undefined ? keys[0] : keys.find((key) => !form.includes(key))
    if (form === undefined || stranger !== undefined || keys.length < Math.min(2, form.length))
      throw new Error(`${place}: not a step of a contract: ${JSON.stringify(step)}`)
    return step as ReleaseStep
  })
}
