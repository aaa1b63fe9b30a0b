/** Compares two versions of a schema, in requests or responses. */

import { isReference } from '../generate/document.ts'
import { compareDeprecation, promise } from './deprecation.ts'
import { flatSchema, kindsOf, type FlatProperty, type FlatSchema } from './flat_schema.ts'
import { compareKeywords } from './keywords.ts'
import { compareUnions } from './unions.ts'
import { isSame, isUnchanged, narrower, referenceName, reportBySide, resolved, wider, type Comparison } from './comparison.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Reports differences. A component is reported under its own name wherever it is used, once for each operation and side.
 * A missing schema accepts everything.
 */
export function compareSchemas(comparison: Comparison, before: unknown, after: unknown, location: string): void {
  if (isUnchanged(comparison.contracts, before, after)) return
  if (before === false || after === false) {
    const message = after === false ? 'no value is possible' : 'values are possible'
    return reportBySide(comparison, after === false ? narrower : wider, location, message)
  }
  compareBeside(comparison, before, after, location)
  const names = [referenceName(before), referenceName(after)]
  if (names[1] !== undefined || names[0] !== undefined) {
    const pair = `${names[0]} ${names[1]} ${names.includes(undefined) ? location : ''}`
    if (comparison.seen.has(pair)) return
    comparison.seen.add(pair)
  }
  compareResolved(comparison, before, after, names[0] === undefined ? location : (names[1] ?? location))
}

/** Compares the keywords beside a reference. */
function compareBeside(comparison: Comparison, before: unknown, after: unknown, location: string): void {
  if (!isReference(before) || !isReference(after)) return
  compareDeprecation(comparison, before, after, location)
  if (before['description'] !== after['description']) comparison.report('patch', location, 'other wording')
}

function compareResolved(comparison: Comparison, before: unknown, after: unknown, location: string): void {
  const { base, revised } = comparison.contracts
  const [was, is] = [resolved(base, before), resolved(revised, after)]
  const [kindsBefore, kindsAfter] = [kindsOf(was), kindsOf(is)]
  if (kindsBefore !== undefined || kindsAfter !== undefined)
    compareUnions(comparison, kindsBefore ?? [before], kindsAfter ?? [after], location)
  if ((kindsBefore === undefined) !== (kindsAfter === undefined)) return
  const [flatBefore, flatAfter] = [flatSchema(base, was, location), flatSchema(revised, is, location)]
  compareProperties(comparison, flatBefore, flatAfter, location)
  compareUnionsInParts(comparison, flatBefore, flatAfter, location)
  compareConditions(comparison, flatBefore.conditions, onKnownKeys(flatBefore, flatAfter), location)
  compareKeywords(comparison, flatBefore.keywords, flatAfter.keywords, location)
}

function compareUnionsInParts(comparison: Comparison, before: FlatSchema, after: FlatSchema, location: string): void {
  if (before.unions.length !== after.unions.length) comparison.report('major', location, 'the allowed combinations changed')
  else
    before.unions.forEach(({ kinds }, index) => {
      const other = after.unions[index]
      if (other !== undefined) compareUnions(comparison, kinds, other.kinds, other.location)
    })
}

function compareProperties(comparison: Comparison, before: FlatSchema, after: FlatSchema, location: string): void {
  for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
    const [was, is] = [before.properties.get(name), after.properties.get(name)]
    const needed = after.required.has(name)
    if (was !== undefined && is === undefined) {
      const message = `no longer ${comparison.side === 'request' ? 'accepted' : 'sent'}`
      comparison.report(
        'major',
        was.location,
        message + promise({ ...resolved(comparison.contracts.base, was.schema), ...Object(was.schema) }),
      )
    } else if (is !== undefined && was === undefined) reportNew(comparison, is, needed, after)
    else if (was !== undefined && is !== undefined) compareSchemas(comparison, was.schema, is.schema, is.location)
    if (was !== undefined && is !== undefined && before.required.has(name) !== needed) reportNeed(comparison, is.location, needed)
  }
  for (const name of after.required)
    if (!after.properties.has(name) && !before.required.has(name)) reportNeed(comparison, `${location}.${name}`, true)
}

function reportNew(comparison: Comparison, { location, schema }: FlatProperty, needed: boolean, { keywords }: FlatSchema): void {
  if (comparison.side === 'request') comparison.report(needed ? 'major' : 'minor', location, needed ? 'new and required' : 'new')
  // Responses are open: the contract allows new keys at any time, except in the few schemas that exclude them.
  else
    comparison.report(keywords.get('additionalProperties') === false && schema !== undefined ? 'major' : 'minor', location, 'new')
}

function reportNeed(comparison: Comparison, location: string, needed: boolean): void {
  if (comparison.side === 'request')
    comparison.report(needed ? 'major' : 'minor', location, needed ? 'required, was optional' : 'optional, was required')
  else
    comparison.report(
      needed ? 'minor' : 'major',
      location,
      needed ? 'always sent, was not always' : 'not always sent, was always',
    )
}

/**
 * The conditions on keys that were known before. A key that was refused before cannot be in an earlier request, so conditions on it
 * restrict none.
 */
function onKnownKeys({ properties, keywords }: FlatSchema, { conditions }: FlatSchema): FlatSchema['conditions'] {
  return keywords.get('additionalProperties') === false ? onlyOn(new Set(properties.keys()), conditions) : conditions
}

/** Of the conditions on the presence of a key (`dependentSchemas`), keeps only those on the given keys. */
function onlyOn(keys: ReadonlySet<string>, conditions: FlatSchema['conditions']): FlatSchema['conditions'] {
  return conditions.flatMap(({ dependentSchemas, ...others }) => {
    const kept = Object.entries(Object(dependentSchemas) as object).filter(([key]) => keys.has(key))
    const condition = kept.length === 0 ? others : { ...others, dependentSchemas: Object.fromEntries(kept) }
    return Object.keys(condition).length === 0 ? [] : [condition]
  })
}

function keysOfConditions(conditions: FlatSchema['conditions']): Set<string> {
  return new Set(conditions.flatMap(({ dependentSchemas }) => Object.keys(Object(dependentSchemas) as object)))
}

/** Conditions are compared literally, because they have no order of strictness; their references are followed. */
function compareConditions(
  comparison: Comparison,
  before: FlatSchema['conditions'],
  after: FlatSchema['conditions'],
  location: string,
): void {
  if (before.length > 0 && after.length === 0) return reportBySide(comparison, wider, location, 'all combinations are allowed')
  if (isSame(onlyOn(keysOfConditions(after), before), after) && !isSame(before, after))
    return reportBySide(comparison, wider, location, 'more combinations are allowed')
  if (!isSame(before, after)) return comparison.report('major', location, 'the allowed combinations changed')
  before.forEach((condition, index) => {
    for (const key of ['then', 'else', 'contains']) compareSchemas(comparison, condition[key], after[index]?.[key], location)
    for (const key of ['dependentSchemas', 'patternProperties']) {
      const schemas = isObject(condition[key]) ? condition[key] : {}
      for (const [name, schema] of Object.entries(schemas))
        compareSchemas(comparison, schema, Object(after[index]?.[key])[name], location)
    }
  })
}
