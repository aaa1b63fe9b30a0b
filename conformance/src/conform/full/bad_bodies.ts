import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { DatedContract } from '../../dated_contract.ts'

const PLACES_MAX = 40
const BODY_LENGTH_MAX = 200_000

/** A body with one fault. */
export interface BadBody {
  /** Describes the fault, without positions in lists. */
  readonly place: string
  readonly keyword: string
  readonly body: unknown
}

type Steps = readonly (string | number)[]
type Schema = Readonly<Record<string, unknown>>

/** A fault: the replacement of a value; `undefined` removes it. */
interface Fault {
  readonly steps: Steps
  readonly keyword: string
  readonly value: unknown
}

/**
 * The faults that can be planted in accepted bodies according to their schema: missing required values, and values that have a wrong type,
 * are too long or unknown. Bodies that are still valid are left out.
 */
export function badBodies(contract: DatedContract, schema: object, good: readonly unknown[]): readonly BadBody[] {
  const found = new Map<string, BadBody>()
  for (const body of good)
    for (const { steps, keyword, value } of faults(contract, schema, body, [])) {
      const place = placeOf(steps)
      const key = `${place} ${keyword}`
      if (found.size >= PLACES_MAX || found.has(key)) continue
      const bad = replaced(body, steps, value)
      if (JSON.stringify(bad).length > BODY_LENGTH_MAX || contract.problemOf(schema, bad) === undefined) continue
      found.set(key, { place, keyword, body: bad })
    }
  return [...found.values()]
}

function* faults(contract: DatedContract, given: object, value: unknown, steps: Steps): Generator<Fault> {
  const schema = branchFor(contract, given, value)
  if (steps.length > 0) yield { steps, keyword: 'type', value: valueOfOtherType(value) }
  if (typeof value === 'string' && typeof schema['maxLength'] === 'number')
    yield { steps, keyword: 'maxLength', value: 'x'.repeat(schema['maxLength'] + 1) }
  if (typeof value === 'string' && schema['enum'] !== undefined) yield { steps, keyword: 'enum', value: 'no_such_value' }
  if (typeof value === 'number')
    for (const keyword of ['minimum', 'maximum'])
      if (typeof schema[keyword] === 'number') yield { steps, keyword, value: schema[keyword] + (keyword === 'minimum' ? -1 : 1) }
  if (Array.isArray(value)) yield* faultsOfList(contract, schema, value, steps)
  if (isObject(value)) yield* faultsOfObject(contract, schema, value, steps)
}

function* faultsOfList(contract: DatedContract, schema: Schema, value: readonly unknown[], steps: Steps): Generator<Fault> {
  const [first] = value
  const { maxItems, items } = schema
  if (typeof maxItems === 'number' && value.length > 0)
    yield { steps, keyword: 'maxItems', value: Array.from({ length: maxItems + 1 }, () => first) }
  if (isObject(items)) for (const [index, item] of value.entries()) yield* faults(contract, items, item, [...steps, index])
}

function* faultsOfObject(
  contract: DatedContract,
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  steps: Steps,
): Generator<Fault> {
  yield { steps: [...steps, 'no_such_key'], keyword: 'additionalProperties', value: 1 }
  for (const key of Object.keys(value)) yield { steps: [...steps, key], keyword: 'required', value: undefined }
  const members = membersOf(contract, schema)
  const rest = schema['additionalProperties']
  for (const [key, member] of Object.entries(value)) {
    const inner = members.get(key) ?? rest
    if (isObject(inner)) yield* faults(contract, inner, member, [...steps, key])
  }
}

/** The schema of a value; for a union, the variant that it matches. */
function branchFor(contract: DatedContract, given: object, value: unknown): Schema {
  const schema = contract.resolve<object>(given)
  if (!isObject(schema)) return {}
  const branches = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(branches)) return schema
  const branch = branches
    .filter(isObject)
    .find((one) => isLikely(contract, one, value) && contract.problemOf(one, value) === undefined)
  return branch ? branchFor(contract, branch, value) : schema
}

/** Whether a value may match a variant: variants with a distinguishing key can be excluded without compiling them. */
function isLikely(contract: DatedContract, branch: object, value: unknown): boolean {
  const schema = contract.resolve<object>(branch)
  const key = isObject(schema) ? schema['x-payload-key'] : undefined
  return typeof key !== 'string' || (isObject(value) && key in value)
}

function membersOf(contract: DatedContract, schema: Schema): ReadonlyMap<string, unknown> {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isObject) : []
  const inherited = parts.map((part) => contract.resolve<object>(part)).filter(isObject)
  const own = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
  return new Map([...inherited.flatMap((part) => [...membersOf(contract, part)]), ...own])
}

function valueOfOtherType(value: unknown): unknown {
  if (typeof value === 'string') return 7
  if (typeof value === 'number' || typeof value === 'boolean') return 'seven'
  return Array.isArray(value) ? {} : []
}

function replaced(value: unknown, [step, ...rest]: Steps, by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? replaced(item, rest, by) : item))
  if (!isObject(value)) return value
  const { [step]: inner, ...others } = value
  const member = replaced(inner, rest, by)
  return member === undefined ? others : { ...others, [step]: member }
}

function placeOf(steps: Steps): string {
  return steps.reduce<string>((place, step) => (typeof step === 'number' ? `${place}[*]` : `${place}.${step}`), 'body')
}
