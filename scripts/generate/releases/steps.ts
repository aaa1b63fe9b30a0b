/** Steps that turn a contract into the contract of the previous release, from `contract` of the changes in `spec/versions/`. */

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
  /** keys with different names: properties, enum values, tags and payload keys */
  rename?: Record<string, string>
  /** properties that existed then */
  add?: Record<string, SchemaOrBoolean>
  /** whether the added properties are always present */
  required?: boolean
  /** mutually exclusive properties */
  apart?: string[]
  /** properties that did not exist */
  remove?: string[]
  /** variants that the union lacked */
  without?: string[]
  /** variants that it had; by tag if the union has a discriminator */
  with?: string[] | Record<string, string>
  /** a property that did not exist, nor the property that its value names */
  unnamed?: string
  /** a JSON merge patch: null removes a key */
  merge?: Record<string, unknown>
  /** replaced texts of descriptions */
  words?: WordChanges
}

export type ReleaseStep = { before?: string } & (
  | SchemaStep
  | { define: Record<string, Schema> }
  | { open: 'requests' }
  | { operation: string; responses_of: string }
  | { descriptions_of: string; words: WordChanges }
)

const SCHEMA_KEYS = ['in', 'rename', 'add', 'required', 'apart', 'remove', 'without', 'with', 'unnamed', 'merge', 'words']
const FORMS = [SCHEMA_KEYS, ['define'], ['open'], ['operation', 'responses_of'], ['descriptions_of', 'words']]

/** Parses the steps of one change. Throws for a step of unknown form. */
export function parseSteps(location: string, value: unknown): ReleaseStep[] {
  if (!Array.isArray(value)) throw new Error(`${location}: contract is not a list of steps`)
  return value.map((step: unknown) => {
    const keys = isObject(step) ? Object.keys(step).filter((key) => key !== 'before') : []
    const form = FORMS.find(([first]) => first !== undefined && keys.includes(first))
    const stranger = form === undefined ? keys[0] : keys.find((key) => !form.includes(key))
    if (form === undefined || stranger !== undefined || keys.length < Math.min(2, form.length))
      throw new Error(`${location}: not a step of a contract: ${JSON.stringify(step)}`)
    return step as ReleaseStep
  })
}
