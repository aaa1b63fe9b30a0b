/** Two versions of a schema, as callers send it or as they read it. */

import { isObject, isReference } from '../generate/document.ts'
import { compareDeprecation, promise } from './deprecation.ts'
import { flatSchema, kindsOf, type FlatProperty, type FlatSchema } from './flat_schema.ts'
import { compareKeywords } from './keywords.ts'
import { compareKinds } from './unions.ts'
import { isSame, isUnchanged, narrower, referenceName, reportBySide, resolved, wider, type Walk } from './walk.ts'

/**
 * Reports what differs. A component is reported under its own name wherever it is met, and once for each operation and side.
 * A missing schema accepts everything.
 */
export function compareSchemas(walk: Walk, before: unknown, after: unknown, place: string): void {
  if (isUnchanged(walk.contracts, before, after)) return
  if (before === false || after === false) {
    const message = after === false ? 'no value is possible' : 'values are possible'
    return reportBySide(walk, after === false ? narrower : wider, place, message)
  }
  compareBeside(walk, before, after, place)
  const names = [referenceName(before), referenceName(after)]
  if (names[1] !== undefined || names[0] !== undefined) {
    const pair = `${names[0]} ${names[1]} ${names.includes(undefined) ? place : ''}`
    if (walk.seen.has(pair)) return
    walk.seen.add(pair)
  }
  compareResolved(walk, before, after, names[0] === undefined ? place : (names[1] ?? place))
}

/** What stands beside a reference. */
function compareBeside(walk: Walk, before: unknown, after: unknown, place: string): void {
  if (!isReference(before) || !isReference(after)) return
  compareDeprecation(walk, before, after, place)
  if (before['description'] !== after['description']) walk.report('patch', place, 'other words')
}

function compareResolved(walk: Walk, before: unknown, after: unknown, place: string): void {
  const { base, revised } = walk.contracts
  const [was, is] = [resolved(base, before), resolved(revised, after)]
  const [kindsBefore, kindsAfter] = [kindsOf(was), kindsOf(is)]
  if (kindsBefore !== undefined || kindsAfter !== undefined)
    compareKinds(walk, kindsBefore ?? [before], kindsAfter ?? [after], place)
  if ((kindsBefore === undefined) !== (kindsAfter === undefined)) return
  const [flatBefore, flatAfter] = [flatSchema(base, was, place), flatSchema(revised, is, place)]
  compareProperties(walk, flatBefore, flatAfter, place)
  compareUnionsOfParts(walk, flatBefore, flatAfter, place)
  compareConditions(walk, flatBefore.conditions, flatAfter.conditions, place)
  compareKeywords(walk, flatBefore.keywords, flatAfter.keywords, place)
}

function compareUnionsOfParts(walk: Walk, before: FlatSchema, after: FlatSchema, place: string): void {
  if (before.unions.length !== after.unions.length) walk.report('major', place, 'what may stand together changed')
  else
    before.unions.forEach(({ kinds }, index) => {
      const other = after.unions[index]
      if (other !== undefined) compareKinds(walk, kinds, other.kinds, other.place)
    })
}

function compareProperties(walk: Walk, before: FlatSchema, after: FlatSchema, place: string): void {
  for (const name of new Set([...before.properties.keys(), ...after.properties.keys()])) {
    const [was, is] = [before.properties.get(name), after.properties.get(name)]
    const needed = after.required.has(name)
    if (was !== undefined && is === undefined) {
      const message = `no longer ${walk.side === 'request' ? 'accepted' : 'sent'}`
      walk.report('major', was.place, message + promise({ ...resolved(walk.contracts.base, was.schema), ...Object(was.schema) }))
    } else if (is !== undefined && was === undefined) reportNew(walk, is, needed, after)
    else if (was !== undefined && is !== undefined) compareSchemas(walk, was.schema, is.schema, is.place)
    if (was !== undefined && is !== undefined && before.required.has(name) !== needed) reportNeed(walk, is.place, needed)
  }
  for (const name of after.required)
    if (!after.properties.has(name) && !before.required.has(name)) reportNeed(walk, `${place}.${name}`, true)
}

function reportNew(walk: Walk, { place, schema }: FlatProperty, needed: boolean, { keywords }: FlatSchema): void {
  if (walk.side === 'request') walk.report(needed ? 'major' : 'minor', place, needed ? 'new and required' : 'new')
  // Answers are open: the contract lets them have new keys at any time, save in the few that promise to have no others.
  else walk.report(keywords.get('additionalProperties') === false && schema !== undefined ? 'major' : 'minor', place, 'new')
}

function reportNeed(walk: Walk, place: string, needed: boolean): void {
  if (walk.side === 'request')
    walk.report(needed ? 'major' : 'minor', place, needed ? 'required, was optional' : 'optional, was required')
  else walk.report(needed ? 'minor' : 'major', place, needed ? 'always sent, was not always' : 'not always sent, was always')
}

/** Conditions are compared as they stand, since what they allow cannot be ordered; what they lead to is followed. */
function compareConditions(walk: Walk, before: FlatSchema['conditions'], after: FlatSchema['conditions'], place: string): void {
  if (!isSame(before, after)) return walk.report('major', place, 'what may stand together changed')
  before.forEach((condition, index) => {
    for (const key of ['then', 'else', 'contains']) compareSchemas(walk, condition[key], after[index]?.[key], place)
    for (const key of ['dependentSchemas', 'patternProperties']) {
      const schemas = isObject(condition[key]) ? condition[key] : {}
      for (const [name, schema] of Object.entries(schemas)) compareSchemas(walk, schema, Object(after[index]?.[key])[name], place)
    }
  })
}
