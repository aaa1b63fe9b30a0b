import type { RollupArrayEntry, RollupCondition, RollupSubfilter, RollupValue } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { findById, type PropertyOf, type RollupProperty } from '../properties/stored.ts'
import { holds, type PlainValue } from '../queries/checks.ts'
import { subfilterParser, type ElementCondition } from '../queries/conditions.ts'
import { computedCriterion } from '../queries/criteria.ts'
import type { Criterion } from '../queries/criterion.ts'
import { sortValueOfDate, type SortValue } from '../queries/sort_source.ts'
import { rollupFunctions } from '../rollups/functions.ts'
import { WITHOUT_SETTINGS, SET_BY_SERVICE, COLUMN_ONLY, NOT_CONVERTIBLE, OWN_KEY } from './common.ts'
import { CONDITION_KEYS } from './formula.ts'
import { payloadOf, sortValueOf } from './plain_values.ts'
import type { RollupFacet, FilterContext, RollupTarget, PropertyFacets, SchemaNames } from './property_facets.ts'

export const rollup: PropertyFacets<'rollup'> = {
  config: { ...WITHOUT_SETTINGS, settings: 'rollup', present: presentConfig },
  value: { ...SET_BY_SERVICE, present: 'computed' },
  conversion: NOT_CONVERTIBLE,
  filter: { ...OWN_KEY, parse },
  sort(property, { rollupTargets }) {
    const target = rollupTargets.get(property.id)
    return {
      kind: 'value',
      property,
      valueOf: ({ computed }) => sortValueOfRollup(computed.get(property.id) as RollupValue, target),
    }
  },
  formula: {
    type: 'rollup',
    value: 'none',
    describe: ({ function: rollupFunction, relationId, targetId }) => ({
      rollup: { function: rollupFunction, relationPropertyId: relationId, propertyId: targetId },
    }),
  },
  rollup: 'none',
  view: COLUMN_ONLY,
  items: 'rollup',
}

function presentConfig(
  { function: rollupFunction, relationId, targetId }: PropertyOf<'rollup'>,
  { siblings, source }: SchemaNames,
): object {
  const relation = findById(siblings, relationId)
  const target = relation?.type === 'relation' ? source(relation.dataSourceId) : undefined
  return {
    function: rollupFunction,
    relation_property_id: relationId,
    relation_property_name: relation?.name ?? '',
    rollup_property_id: targetId,
    rollup_property_name: findById(target?.properties ?? [], targetId)?.name ?? '',
  }
}

function sortValueOfRollup(value: RollupValue, target: RollupTarget | undefined): SortValue {
  if (value.type === 'number') return value.number
  if (value.type === 'date') return sortValueOfDate(value.date)
  const [first] = value.type === 'array' ? value.array : []
  if (first === undefined || target === undefined || target.rollup === 'none') return null
  const { sort, toPlain } = target.rollup
  return sort === 'by plain value' ? sortValueOf(toPlain(payloadOf(first))) : sort(payloadOf(first), target.property)
}

/** @throws ServiceError `validation_error` if the condition does not fit the result of the rollup */
function parse(property: RollupProperty, condition: RollupCondition, place: string, context: FilterContext): Criterion {
  const { result } = rollupFunctions[property.function]
  const [key = ''] = Object.keys(condition)
  const keys = result === 'array' ? ['any', 'every', 'none'] : [result]
  if (!keys.includes(key)) {
    throw invalid(
      `${place}.${key}`,
      `should be a condition named ${keys.join(', ')} instead of ${key}: the rollup ${JSON.stringify(property.name)} has values of type ${result}`,
    )
  }
  const test = testOf(property, condition, place, context)
  return computedCriterion(property, (value) => test(value as RollupValue))
}

function testOf(
  property: RollupProperty,
  condition: RollupCondition,
  place: string,
  context: FilterContext,
): (value: RollupValue) => boolean {
  for (const key of ['number', 'date'] as const) {
    if (condition[key] === undefined) continue
    const check = subfilterParser(key)(condition[key], `${place}.${key}`, context.viewer, property)
    return (value) => holds(check, plainOf(value))
  }
  const { any, every, none } = condition
  const key = any ? 'any' : every ? 'every' : 'none'
  const target = context.rollupTargets.get(property.id)
  if (!target) throw invalid(`${place}.${key}`, 'should be not present: the property that the rollup aggregates is missing')
  const test = elementTest(target, any ?? every ?? none ?? {}, `${place}.${key}`, context)
  const elements = (value: RollupValue): readonly RollupArrayEntry[] => (value.type === 'array' ? value.array : [])
  if (any) return (value) => elements(value).some(test)
  if (none) return (value) => !elements(value).some(test)
  return (value) => elements(value).length > 0 && elements(value).every(test)
}

function plainOf(value: RollupValue): PlainValue {
  if (value.type === 'number') return value.number
  return value.type === 'date' ? value.date : null
}

function elementTest(
  { property, rollup: facet, resultType }: RollupTarget,
  condition: RollupSubfilter,
  place: string,
  { viewer }: FilterContext,
): (element: RollupArrayEntry) => boolean {
  const [key = '', ...others] = Object.keys(condition).filter((name) => name !== 'property')
  if (key === '' || others.length > 0) throw invalid(place, 'should have exactly one condition')
  const fitting = facet === 'none' ? undefined : conditionKey(facet.condition, resultType)
  if (facet === 'none' || fitting === undefined || fitting !== key) {
    const words = fitting === undefined ? 'should be not present' : `should be a condition named ${fitting} instead of ${key}`
    throw invalid(`${place}.${key}`, `${words}: the elements are of type ${property.type}`)
  }
  const check = subfilterParser(fitting)(condition[fitting], `${place}.${key}`, viewer, property)
  return (element) => holds(check, facet.toPlain(payloadOf(element)))
}

/** The condition key for rollup elements. Formulas use the key of their result type. */
function conditionKey(
  condition: RollupFacet<'formula'>['condition'],
  resultType: RollupTarget['resultType'],
): ElementCondition | undefined {
  if (condition === 'none') return undefined
  if (condition !== 'by result type') return condition
  return resultType && CONDITION_KEYS[resultType].ofElements
}
