import type { ErrorObject } from 'ajv'
import { complaintError, type Complaint, type ServiceError } from '../kernel/errors.ts'
import { inDocumentOrder, RequestLocations, type RequestLocation, type RequestParts } from './locations.ts'
import { formats } from './formats.ts'
import { requiresEmptyList, relevantErrors } from './relevant_errors.ts'
import { similarWord } from './similar_word.ts'

/** Whether an unknown key is ignored rather than refused. */
export type KeyRule = (key: string) => boolean

/** One way in which a request violates the contract. */
export interface Violation {
  /** Dotted, beginning with `path`, `query` or `body`. */
  readonly path: string
  readonly position: RequestLocation['position']
  /** Completes "should be …". */
  readonly expectation: string
  readonly value: unknown
  /** Several ways to fix the violation; the message lists these instead. */
  readonly alternatives?: readonly Omit<Violation, 'alternatives'>[]
}

const ALTERNATIVES_MAX = 30
/** The maximum number of locations that a response names. */
export const PLACES_NAMED_MAX = 20
/**
 * An unknown key is probably a misspelled payload key. Up to this many payload keys are listed with it; beyond that, only the most
 * similar one.
 */
const PAYLOAD_KEYS_NAMED_MAX = 24
/** In an object with more keys than this, an unknown key is hardly a misspelling. */
const KEYS_MISSPELLED_MAX = 8

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
  const locations = RequestLocations.ofRequest(parts)
  const found = relevantErrors(errors).map((error) => toViolation(error, locations, locations.at(error.instancePath)))
  const sorted = [...others, ...found].sort(inDocumentOrder)
  const first = sorted[0] ?? at(locations.at('/body'), 'valid')
  const paths = [...new Set(sorted.map((violation) => violation.path))].slice(0, PLACES_NAMED_MAX)
  return complaintError((first.alternatives ?? [first]).slice(0, ALTERNATIVES_MAX).map(toComplaint), paths)
}

function toComplaint({ path, expectation, value }: Pick<Violation, 'path' | 'expectation' | 'value'>): Complaint {
  return { path, claim: `should be ${expectation}`, value }
}

type Explanation = (error: ErrorObject, locations: RequestLocations, location: RequestLocation) => Violation

/** How violations of each keyword of JSON Schema are explained. Keywords that are not listed set a bound. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  required: ({ params }, locations, location) => missing(locations.child(location, String(params['missingProperty']))),
  dependentRequired: ({ params }, locations, location) => missing(locations.child(location, String(params['missingProperty']))),
  additionalProperties: unknownKey,
  unevaluatedProperties: ({ params }, locations, location) =>
    unexpected(locations.child(location, String(params['unevaluatedProperty']))),
  'false schema': excludedKey,
  type: ({ params }, _locations, location) => at(location, typeWords(params['type'])),
  const: ({ params }, _locations, location) => at(location, quoted(params['allowedValue'])),
  enum: ({ params }, _locations, location) => at(location, oneOf(params['allowedValues'])),
  discriminator: tagViolation,
  not: payloadViolation,
  pattern: (error, _locations, location) => at(location, textOf(error, 'x-expectation') ?? 'in the expected form'),
  format: ({ params }, _locations, location) =>
    at(location, formats[String(params['format'])]?.expectation ?? `a valid ${String(params['format'])}`),
  minProperties: countViolation,
  maxProperties: countViolation,
  uniqueItems: (_error, _locations, location) => at(location, 'a list without repetition'),
}

function toViolation(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  return (EXPLANATIONS[error.keyword] ?? boundViolation)(error, locations, location)
}

function at({ path, value, position }: RequestLocation, expectation: string): Violation {
  return { path, expectation, value, position }
}

function missing({ path, position }: RequestLocation): Violation {
  return { path, expectation: 'defined', value: undefined, position }
}

function unexpected(location: RequestLocation): Violation {
  return at(location, 'not present')
}

/** A key that another one excludes, as in `dependentSchemas: {children: {properties: {markdown: false}}}`. */
function excludedKey({ schemaPath }: ErrorObject, _locations: RequestLocations, location: RequestLocation): Violation {
  const [, excluding, excluded] = /dependentSchemas\/(\w+)\/(?:then\/)?properties\/(\w+)\/false schema$/.exec(schemaPath) ?? []
  if (excluding === undefined || excluding === excluded) return unexpected(location)
  return at(location, `not present beside \`${excluding}\``)
}

function unknownKey(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  const key = String(error.params['additionalProperty'])
  const found = unexpected(locations.child(location, key))
  const computed: unknown = error.parentSchema?.['x-computed']
  if (Array.isArray(computed) && computed.includes(key))
    return { ...found, expectation: 'not present, because the service computes it' }
  const payloads = Object.keys((error.parentSchema?.['x-payload-keys'] as object | undefined) ?? {})
  if (payloads.length === 0) return found
  const { value } = location
  if (typeof value === 'object' && value !== null && (hasMany(value) || payloads.some((name) => Object.hasOwn(value, name))))
    return found
  const similar = similarWord(key, payloads)
  const likely = payloads.length <= PAYLOAD_KEYS_NAMED_MAX ? payloads : similar === undefined ? [] : [similar]
  if (likely.length === 0) return found
  return { ...found, alternatives: [...likely.map((name) => missing(locations.child(location, name))), found] }
}

function hasMany(value: object): boolean {
  let count = 0
  for (const _key in value) if ((count += 1) > KEYS_MISSPELLED_MAX) return true
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

function boundViolation(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  const limit = error.params['limit']
  if (requiresEmptyList(error)) return at(location, 'not present')
  if (LENGTH_KEYWORDS.has(error.keyword)) {
    const length =
      typeof location.value === 'string'
        ? [...location.value].length
        : Array.isArray(location.value)
          ? location.value.length
          : undefined
    // The length is not a member of the value, so it gets the position of a missing one.
    const { position } = locations.child(location, 'length')
    const sign = error.keyword.startsWith('min') ? '≥' : '≤'
    return { path: `${location.path}.length`, expectation: `${sign} \`${String(limit)}\``, value: length, position }
  }
  const sign = SIGNS[error.keyword]
  return at(location, sign === undefined ? (error.message ?? 'valid') : `${sign} \`${String(limit)}\``)
}

/** An object with too few or too many keys: one that must have exactly one of several, or a map. */
function countViolation(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  const keys = keysOf(location.value)
  const limit = Number(error.params['limit'])
  const extra = keys[limit]
  const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
  const isMap = known.length === 0 && limit > 0
  if (error.keyword === 'maxProperties' && extra !== undefined && !isMap) return unexpected(locations.child(location, extra))
  if (known.length === 0)
    return at(location, `an object with ${error.keyword === 'minProperties' ? 'at least' : 'at most'} \`${limit}\` keys`)
  return { ...at(location, 'defined'), alternatives: known.map((key) => missing(locations.child(location, key))) }
}

/** A tagged union whose tag is missing or unknown. */
function tagViolation(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  const tag = locations.child(location, String(error.params['tag']))
  if (tag.value === undefined) return missing(tag)
  return at(tag, typeof tag.value === 'string' ? 'one of the types that are allowed here' : 'a string')
}

/** An invalid payload union: with no payload, with two, or with a `type` that does not match its payload. */
function payloadViolation(error: ErrorObject, locations: RequestLocations, location: RequestLocation): Violation {
  const payloads = error.parentSchema?.['x-payload-keys']
  if (typeof payloads !== 'object' || payloads === null) return at(location, 'allowed here')
  const present = keysOf(location.value).filter((key) => Object.hasOwn(payloads, key))
  const [first, second] = present
  if (first !== undefined && second !== undefined) {
    const extra = unexpected(locations.child(location, second))
    if (Object.keys(payloads).length > PAYLOAD_KEYS_NAMED_MAX) return extra
    return { ...extra, alternatives: [unexpected(locations.child(location, first)), extra] }
  }
  if (first === undefined) {
    return {
      ...at(location, 'defined'),
      alternatives: Object.keys(payloads).map((key) => missing(locations.child(location, key))),
    }
  }
  const tag: unknown = Reflect.get(payloads, first)
  return at(locations.child(location, 'type'), quoted(tag))
}

function textOf(error: ErrorObject, keyword: string): string | undefined {
  const value: unknown = error.parentSchema?.[keyword]
  return typeof value === 'string' ? value : undefined
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
