import type { ErrorObject } from 'ajv'
import { complaintError, type Complaint, type ServiceError } from '../kernel/errors.ts'
import { childPath, DocumentOrder, resolvePlace, type Place, type RequestParts } from './places.ts'
import { formats } from './formats.ts'
import { isEmptyList, withoutNoise } from './noise.ts'

/** One way in which a request breaks the contract. */
export interface Violation {
  /** Dotted, beginning with `path`, `query` or `body`. */
  readonly path: string
  /** Completes "should be …". */
  readonly expectation: string
  readonly value: unknown
  /** Several ways to mend one place: the message lists them all. */
  readonly alternatives?: readonly Omit<Violation, 'alternatives'>[]
}

const ALTERNATIVES_MAX = 30
const FAILED_PATHS_MAX = 20
/** Where an object lacks any of so few keys, they are named beside a key that is none of them: most likely it is misspelt. */
const PAYLOAD_KEYS_NAMED_MAX = 24
/** An object of more keys than this has another fault. */
const KEYS_MISSPELT_MAX = 8

/**
 * The one error for a refused request: the first violation in document order, path before query before body.
 * @param errors as the validator reported them, all of them, with their schemas (`verbose`)
 * @param others violations that were found before the validator ran
 */
export function toServiceError(
  errors: readonly ErrorObject[],
  parts: RequestParts,
  others: readonly Violation[] = [],
): ServiceError {
  const placed = [...others, ...withoutNoise(errors).map((error) => toViolation(error, parts))]
  const order = new DocumentOrder(parts)
  const sorted = placed.map((violation) => ({ violation, key: order.of(violation.path) })).sort((a, b) => compare(a.key, b.key))
  const first = sorted[0]?.violation ?? { path: 'body', expectation: 'valid', value: parts.body }
  const paths = [...new Set(sorted.map(({ violation }) => violation.path))].slice(0, FAILED_PATHS_MAX)
  return complaintError((first.alternatives ?? [first]).slice(0, ALTERNATIVES_MAX).map(toComplaint), paths)
}

/**
 * Takes keys that no schema knows out of a request. What lies below them goes too, so that a next look may find others.
 * @returns whether there was one
 */
export function removeUnknownKeys(
  errors: readonly ErrorObject[],
  parts: RequestParts,
  ignores: (key: string) => boolean,
): boolean {
  let isChanged = false
  for (const error of errors) {
    const key: unknown = error.params['additionalProperty'] ?? error.params['unevaluatedProperty']
    const { value } = resolvePlace(error.instancePath, parts)
    if (typeof key !== 'string' || !ignores(key) || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      continue
    Reflect.deleteProperty(value, key)
    isChanged = true
  }
  return isChanged
}

function toComplaint({ path, expectation, value }: Omit<Violation, 'alternatives'>): Complaint {
  return { path, claim: `should be ${expectation}`, value }
}

function toViolation(error: ErrorObject, parts: RequestParts): Violation {
  const place = resolvePlace(error.instancePath, parts)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return missing(childPath(place, String(params['missingProperty'])))
    case 'dependentRequired':
      return missing(childPath(place, String(params['missingProperty'])))
    case 'additionalProperties':
      return unknownKey(error, place, String(params['additionalProperty']))
    case 'unevaluatedProperties':
      return unexpected(place, String(params['unevaluatedProperty']))
    case 'false schema':
      return at(place, 'not present')
    case 'type':
      return at(place, typeWords(params['type']))
    case 'const':
      return at(place, quoted(params['allowedValue']))
    case 'enum':
      return at(place, oneOf(params['allowedValues']))
    case 'discriminator':
      return tagViolation(error, place)
    case 'not':
      return payloadViolation(error, place)
    case 'pattern':
      return at(place, textOf(error, 'x-expectation') ?? 'in the expected form')
    case 'format':
      return at(place, formats[String(params['format'])]?.expectation ?? `a valid ${String(params['format'])}`)
    case 'minProperties':
    case 'maxProperties':
      return countViolation(error, place)
    case 'uniqueItems':
      return at(place, 'a list without repetition')
    default:
      return boundViolation(error, place)
  }
}

function at(place: Place, expectation: string): Violation {
  return { path: place.path, expectation, value: place.value }
}

function missing(path: string): Violation {
  return { path, expectation: 'defined', value: undefined }
}

function unexpected(place: Place, key: string): Violation {
  return { path: childPath(place, key), expectation: 'not present', value: memberOf(place.value, key) }
}

function unknownKey(error: ErrorObject, place: Place, key: string): Violation {
  const found = unexpected(place, key)
  const payloads = Object.keys((error.parentSchema?.['x-payload-keys'] as object | undefined) ?? {})
  if (payloads.length === 0 || payloads.length > PAYLOAD_KEYS_NAMED_MAX) return found
  // There may be as many such errors as the body has room for keys: each may cost no more than these few looks.
  const { value } = place
  if (typeof value === 'object' && value !== null && (hasMany(value) || payloads.some((name) => Object.hasOwn(value, name))))
    return found
  return { ...found, alternatives: [...payloads.map((name) => missing(childPath(place, name))), found] }
}

function hasMany(value: object): boolean {
  let count = 0
  for (const _key in value) if ((count += 1) > KEYS_MISSPELT_MAX) return true
  return false
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: '`null`',
}

function typeWords(type: unknown): string {
  return (Array.isArray(type) ? type : [type]).map((name) => TYPE_WORDS[String(name)] ?? String(name)).join(' or ')
}

function quoted(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

function oneOf(values: unknown): string {
  const list = Array.isArray(values) ? values : []
  return list.length === 1 ? quoted(list[0]) : `one of ${list.map(quoted).join(', ')}`
}

const LENGTH_KEYWORDS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])
const SIGNS: Readonly<Record<string, string>> = { exclusiveMinimum: '>', exclusiveMaximum: '<', minimum: '≥', maximum: '≤' }

function boundViolation(error: ErrorObject, place: Place): Violation {
  const limit = error.params['limit']
  if (isEmptyList(error)) return at(place, 'not present')
  if (LENGTH_KEYWORDS.has(error.keyword)) {
    const length =
      typeof place.value === 'string' ? [...place.value].length : Array.isArray(place.value) ? place.value.length : undefined
    return {
      path: `${place.path}.length`,
      expectation: `${error.keyword.startsWith('min') ? '≥' : '≤'} \`${String(limit)}\``,
      value: length,
    }
  }
  const sign = SIGNS[error.keyword]
  return at(place, sign === undefined ? (error.message ?? 'valid') : `${sign} \`${String(limit)}\``)
}

/** An object that should hold exactly one of several keys. */
function countViolation(error: ErrorObject, place: Place): Violation {
  const keys = keysOf(place.value)
  const limit = Number(error.params['limit'])
  const extra = keys[limit]
  if (error.keyword === 'maxProperties' && extra !== undefined) return unexpected(place, extra)
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  if (known.length === 0)
    return at(place, `an object with ${error.keyword === 'minProperties' ? 'at least' : 'at most'} \`${limit}\` keys`)
  return { ...at(place, 'defined'), alternatives: known.map((key) => missing(childPath(place, key))) }
}

/** A tagged union whose tag is missing or unknown. */
function tagViolation(error: ErrorObject, place: Place): Violation {
  const tag = String(error.params['tag'])
  const path = childPath(place, tag)
  const value = memberOf(place.value, tag)
  if (value === undefined) return missing(path)
  return { path, expectation: typeof value === 'string' ? 'one of the types that can stand here' : 'a string', value }
}

/** A payload union: none, two, or a `type` that belongs to another key than the one present. */
function payloadViolation(error: ErrorObject, place: Place): Violation {
  const payloads = error.parentSchema?.['x-payload-keys']
  if (typeof payloads !== 'object' || payloads === null) return at(place, 'allowed here')
  const present = keysOf(place.value).filter((key) => Object.hasOwn(payloads, key))
  const [first, second] = present
  if (second !== undefined) return unexpected(place, second)
  if (first === undefined) {
    return { ...at(place, 'defined'), alternatives: Object.keys(payloads).map((key) => missing(childPath(place, key))) }
  }
  const tag: unknown = Reflect.get(payloads, first)
  return { path: childPath(place, 'type'), expectation: quoted(tag), value: memberOf(place.value, 'type') }
}

function textOf(error: ErrorObject, keyword: string): string | undefined {
  const value: unknown = error.parentSchema?.[keyword]
  return typeof value === 'string' ? value : undefined
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left !== right) return left - right
  }
  return a.length - b.length
}
