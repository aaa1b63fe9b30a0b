import { describe, expect, it } from 'vitest'
import type { RollupArrayEntry } from '../../generated/types.ts'
import { ComputedValues, type SourceRow } from '../../server/domain/computed/index.ts'
import { Budget, NotLoaded, type FormulaProperty } from '../../server/domain/formulas/index.ts'

const formula = (id: string, text: string): FormulaProperty => ({
  id,
  name: id,
  type: 'formula',
  expression: { form: 'written', text },
})
const rollup = (id: string, fn: string, propertyId: string, relationPropertyId = 'jobs'): FormulaProperty => ({
  id,
  name: id,
  type: 'rollup',
  rollup: { function: fn, relationPropertyId, propertyId },
})

const schemas = new Map(
  Object.entries<FormulaProperty[]>({
    customers: [
      { id: 'title', name: 'Name', type: 'title' },
      { id: 'jobs', name: 'Jobs', type: 'relation', relatedDataSourceId: 'jobs' },
      rollup('hours', 'sum', 'hours'),
      rollup('costs', 'sum', 'cost'),
      rollup('all costs', 'show_original', 'cost'),
      rollup('tags', 'show_unique', 'tags'),
      rollup('done', 'percent_per_group', 'stage'),
      rollup('helpers', 'show_original', 'helps'),
      rollup('unfit', 'sum', 'tags'),
      rollup('gone', 'count', 'nothing'),
      formula('owed', 'prop("costs") * 2'),
      formula('shares', 'prop("all costs").map(current / prop("costs"))'),
      formula('kinds', 'prop("tags").join("+")'),
      formula('names', 'prop("helpers").flat().map(current.prop("Name")).unique()'),
      rollup('sizes', 'show_unique', 'hours'),
      rollup('heavy', 'show_original', 'heavy'),
      formula('helped', 'prop("helpers").map(current.length())'),
      formula('firstTag', 'prop("tags").first().upper()'),
      formula('howMany', 'prop("sizes").length()'),
      formula('lost', 'prop("unfit") + 1'),
    ],
    jobs: [
      { id: 'title', name: 'Name', type: 'title' },
      { id: 'hours', name: 'Hours', type: 'number' },
      { id: 'stage', name: 'Stage', type: 'status', completeOptionIds: ['Done'] },
      { id: 'tags', name: 'Tags', type: 'multi_select' },
      { id: 'helps', name: 'Helps', type: 'relation', relatedDataSourceId: 'jobs' },
      formula('cost', 'prop("Hours") * 40'),
      rollup('theirs', 'sum', 'cost', 'helps'),
      formula('heavy', 'split(repeat("x", 9999), "").map(current + 1).length()'),
      formula('chain', 'prop("Hours") + prop("theirs")'),
    ],
  }).map(([dataSourceId, properties]) => [dataSourceId, { dataSourceId, properties }]),
)

function row(
  id: string,
  dataSourceId: string,
  entries: Record<string, RollupArrayEntry>,
  related: Record<string, SourceRow[]> = {},
): SourceRow {
  return {
    id,
    dataSourceId,
    title: id,
    entry: (propertyId) => {
      const entry = propertyId === 'title' ? ({ type: 'url', url: id } as const) : entries[propertyId]
      if (entry === undefined) throw new Error(`${id} has no ${propertyId}`)
      return entry
    },
    related: (propertyId) => related[propertyId] ?? [],
  }
}

const option = (id: string) => ({ id, name: id, color: 'default' }) as const

function job(id: string, hours: number | null, stage: string, tags: string[], helps: SourceRow[] = []): SourceRow {
  return row(
    id,
    'jobs',
    {
      hours: { type: 'number', number: hours },
      stage: { type: 'status', status: option(stage) },
      tags: { type: 'multi_select', multi_select: tags.map(option) },
    },
    { helps },
  )
}

const paint = job('Paint', 2, 'Done', ['a', 'b'])
const sand = job('Sand', null, 'Open', ['b', 'c'], [paint])
const customer = row('Mill', 'customers', {}, { jobs: [paint, sand] })

function computed(budget?: Budget): ComputedValues {
  return new ComputedValues((dataSourceId) => schemas.get(dataSourceId), Date.parse('2026-05-04T10:20:30.400Z'), budget)
}

describe('computed values', () => {
  it.each([
    ['hours', { type: 'number', number: 2, function: 'sum' }],
    ['costs', { type: 'number', number: 80, function: 'sum' }],
    ['done', { type: 'number', number: 0.5, function: 'percent_per_group' }],
    ['unfit', { type: 'unsupported', unsupported: {}, function: 'sum' }],
    ['gone', { type: 'unsupported', unsupported: {}, function: 'count' }],
    [
      'all costs',
      {
        function: 'show_original',
        type: 'array',
        array: [
          { type: 'formula', formula: { type: 'number', number: 80 } },
          { type: 'formula', formula: { type: 'number', number: null } },
        ],
      },
    ],
  ])('rollup %s', (propertyId, value) => {
    expect(computed().rollup(customer, propertyId)).toEqual(value)
  })

  it.each([
    ['owed', { type: 'number', number: 160 }],
    ['shares', { type: 'string', string: '1, ' }],
    ['kinds', { type: 'string', string: 'a+b+c' }],
    ['names', { type: 'string', string: 'Paint' }],
    ['helped', { type: 'string', string: '0, 1' }],
    ['firstTag', { type: 'string', string: 'A' }],
    ['howMany', { type: 'number', number: 1 }],
    ['lost', { type: 'unsupported', unsupported: {} }],
  ])('formula %s over rollups', (propertyId, value) => {
    expect(computed().formula(customer, propertyId)).toEqual(value)
  })

  it('go from rollup to formula to rollup', () => {
    expect(computed().formula(job('Polish', 1, 'Open', [], [paint, sand]), 'chain')).toEqual({ type: 'number', number: 81 })
  })

  it('share a budget when they are given one', () => {
    const values = computed(new Budget(30))
    const types = Array.from({ length: 10 }, () => values.formula(customer, 'owed').type)
    expect(types.at(0)).toBe('number')
    expect(types.at(-1)).toBe('unsupported')
  })

  it('that gather costly formulas are bounded as a whole', () => {
    const many = row('Many', 'customers', {}, { jobs: Array.from({ length: 1000 }, (_unused, n) => job(`J${n}`, 1, 'Open', [])) })
    const costly = computed().rollup(many, 'heavy')
    const entries = costly.type === 'array' ? costly.array : []
    const types = entries.map((entry) => (entry.type === 'formula' ? entry.formula.type : ''))
    expect(types).toHaveLength(1000)
    expect(types.at(0)).toBe('number')
    expect(types.at(-1)).toBe('unsupported')
    expect(computed().rollup(many, 'costs')).toEqual({ type: 'number', number: 40_000, function: 'sum' })
  })

  it('ask for rows that are not there yet', () => {
    const missing: SourceRow = {
      ...customer,
      related: () => {
        throw new NotLoaded()
      },
    }
    expect(() => computed().formula(missing, 'owed')).toThrow(NotLoaded)
    expect(() => computed().rollup(missing, 'hours')).toThrow(NotLoaded)
  })
})
