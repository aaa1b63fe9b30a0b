import type { ErrorObject } from 'ajv'
import { complaintError, type Complaint, type ServiceError } from '../kernel/errors.ts'
import { inDocumentOrder, Places, type RequestPlace, type RequestParts } from './places.ts'
import { formats } from './formats.ts'
import { requiresEmptyList, relevantErrors } from './relevant_errors.ts'
import { similarWord } from './similar_word.ts'

/** Whether an unknown key is ignored rather than refused. */
export type KeyRule = (key: string) => boolean

/** One way in which a request violates the contract. */
export interface Violation {
  /** Dotted, beginning with `path`, `query` or `body`. */
  readonly path: string
  readonly position: RequestPlace['position']
  /** Completes "should be …". */
  readonly expectation: string
  readonly value: unknown
  /** Several ways to fix the violation; the message lists these instead. */
  readonly alternatives?: readonly Omit<Violation, 'alternatives'>[]
}

const ALTERNATIVES_MAX = 30
/** The most places that a response names. */
export const PLACES_NAMED_MAX = 20
/**
 * An unknown key is probably a misspelt payload key. Up to this many payload keys are listed with it; beyond that, only the most
 * similar one.
 */
const PAYLOAD_KEYS_NAMED_MAX = 24
/** In an object with more keys than this, an unknown key is hardly a misspelling. */
const KEYS_MISSPELT_MAX = 8

/**
 * The error for an invalid request. Its message names the first violation in document order, path before query before body.
 * @param errors the validator's errors, with schemas (`verbose`); it must include the first error in document order
 * @param others violations that the validator cannot detect
 */
export function violationError(
  errors: readonly ErrorObject[],
  parts: RequestParts,
  others: readonly Violation[] = [],
): ServiceError {
  const places = Places.ofRequest(parts)
  const found = relevantErrors(errors).map((error) => toViolation(error, places, places.at(error.instancePath)))
  const sorted = [...others, ...found].sort(inDocumentOrder)
  const first = sorted[0] ?? at(places.at('/body'), 'valid')
  const paths = [...new Set(sorted.map((violation) => violation.path))].slice(0, PLACES_NAMED_MAX)
  return complaintError((first.alternatives ?? [first]).slice(0, ALTERNATIVES_MAX).map(toComplaint), paths)
}

function toComplaint({ path, expectation, value }: Pick<Violation, 'path' | 'expectation' | 'value'>): Complaint {
  return { path, claim: `should be ${expectation}`, value }
}

type Explanation = (error: ErrorObject, places: Places, place: RequestPlace) => Violation

/** How violations of each keyword of JSON Schema are explained. Keywords that are not listed set a bound. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  required: ({ params }, places, place) => missing(places.child(place, String(params['missingProperty']))),
  dependentRequired: ({ params }, places, place) => missing(places.child(place, String(params['missingProperty']))),
  additionalProperties: unknownKey,
  unevaluatedProperties: ({ params }, places, place) => unexpected(places.child(place, String(params['unevaluatedProperty']))),
  'false schema': excludedKey,
  type: ({ params }, _places, place) => at(place, typeWords(params['type'])),
  const: ({ params }, _places, place) => at(place, quoted(params['allowedValue'])),
  enum: ({ params }, _places, place) => at(place, oneOf(params['allowedValues'])),
  discriminator: tagViolation,
  not: payloadViolation,
  pattern: (error, _places, place) => at(place, textOf(error, 'x-expectation') ?? 'in the expected form'),
  format: ({ params }, _places, place) =>
    at(place, formats[String(params['format'])]?.expectation ?? `a valid ${String(params['format'])}`),
  minProperties: countViolation,
  maxProperties: countViolation,
  uniqueItems: (_error, _places, place) => at(place, 'a list without repetition'),
}

function toViolation(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  return (EXPLANATIONS[error.keyword] ?? boundViolation)(error, places, place)
}

function at({ path, value, position }: RequestPlace, expectation: string): Violation {
  return { path, expectation, value, position }
}

function missing({ path, position }: RequestPlace): Violation {
  return { path, expectation: 'defined', value: undefined, position }
}

function unexpected(place: RequestPlace): Violation {
  return at(place, 'not present')
}

/** A key that another one excludes, as in `dependentSchemas: {children: {properties: {markdown: false}}}`. */
function excludedKey({ schemaPath }: ErrorObject, _places: Places, place: RequestPlace): Violation {
  const [, excluding, excluded] = /dependentSchemas\/(\w+)\/(?:then\/)?properties\/(\w+)\/false schema$/.exec(schemaPath) ?? []
  if (excluding === undefined || excluding === excluded) return unexpected(place)
  return at(place, `not present beside \`${excluding}\``)
}

function unknownKey(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  const key = String(error.params['additionalProperty'])
  const found = unexpected(places.child(place, key))
  const computed: unknown = error.parentSchema?.['x-computed']
  if (Array.isArray(computed) && computed.includes(key))
    return { ...found, expectation: 'not present, because the service computes it' }
  const payloads = Object.keys((error.parentSchema?.['x-payload-keys'] as object | undefined) ?? {})
  if (payloads.length === 0) return found
  const { value } = place
  if (typeof value === 'object' && value !== null && (hasMany(value) || payloads.some((name) => Object.hasOwn(value, name))))
    return found
  const similar = similarWord(key, payloads)
  const likely = payloads.length <= PAYLOAD_KEYS_NAMED_MAX ? payloads : similar === undefined ? [] : [similar]
  if (likely.length === 0) return found
  return { ...found, alternatives: [...likely.map((name) => missing(places.child(place, name))), found] }
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

function boundViolation(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  const limit = error.params['limit']
  if (requiresEmptyList(error)) return at(place, 'not present')
  if (LENGTH_KEYWORDS.has(error.keyword)) {
    const length =
      typeof place.value === 'string' ? [...place.value].length : Array.isArray(place.value) ? place.value.length : undefined
    // The length is not a member of the value, so it gets the position of a missing one.
    const { position } = places.child(place, 'length')
    const sign = error.keyword.startsWith('min') ? '≥' : '≤'
    return { path: `${place.path}.length`, expectation: `${sign} \`${String(limit)}\``, value: length, position }
  }
  const sign = SIGNS[error.keyword]
  return at(place, sign === undefined ? (error.message ?? 'valid') : `${sign} \`${String(limit)}\``)
}

/** An object with too few or too many keys: one that must have exactly one of several, or a map. */
function countViolation(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  const keys = keysOf(place.value)
  const limit = Number(error.params['limit'])
  const extra = keys[limit]
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  const isMap = known.length === 0 && limit > 0
  if (error.keyword === 'maxProperties' && extra !== undefined && !isMap) return unexpected(places.child(place, extra))
  if (known.length === 0)
    return at(place, `an object with ${error.keyword === 'minProperties' ? 'at least' : 'at most'} \`${limit}\` keys`)
  return { ...at(place, 'defined'), alternatives: known.map((key) => missing(places.child(place, key))) }
}

/** A tagged union whose tag is missing or unknown. */
function tagViolation(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  const tag = places.child(place, String(error.params['tag']))
  if (tag.value === undefined) return missing(tag)
  return at(tag, typeof tag.value === 'string' ? 'one of the types that can stand here' : 'a string')
}

/** An invalid payload union: with no payload, with two, or with a `type` that does not match its payload. */
function payloadViolation(error: ErrorObject, places: Places, place: RequestPlace): Violation {
  const payloads = error.parentSchema?.['x-payload-keys']
  if (typeof payloads !== 'object' || payloads === null) return at(place, 'allowed here')
  const present = keysOf(place.value).filter((key) => Object.hasOwn(payloads, key))
  const [first, second] = present
  if (first !== undefined && second !== undefined) {
    const extra = unexpected(places.child(place, second))
    if (Object.keys(payloads).length > PAYLOAD_KEYS_NAMED_MAX) return extra
    return { ...extra, alternatives: [unexpected(places.child(place, first)), extra] }
  }
  if (first === undefined) {
    return { ...at(place, 'defined'), alternatives: Object.keys(payloads).map((key) => missing(places.child(place, key))) }
  }
  const tag: unknown = Reflect.get(payloads, first)
  return at(places.child(place, 'type'), quoted(tag))
}

function textOf(error: ErrorObject, keyword: string): string | undefined {
  const value: unknown = error.parentSchema?.[keyword]
  return typeof value === 'string' ? value : undefined
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
