import { describe, expect, it } from 'vitest'
import {
  formulaResult,
  evaluate,
  FormulaCompiler,
  referencesOfStored,
  renderStored,
  type SchemaProperty,
  type FormulaSchemas,
} from '../../server/domain/data/formulas/index.ts'
import { compiler, CUSTOMERS, NOW, schemas, task, TASKS } from './support/workshop.ts'

const current: FormulaSchemas = (dataSourceId) => schemas.get(dataSourceId)

function stored(text: string): string {
  const { formula, error } = compiler.compile(text, TASKS)
  if (formula === undefined) throw new Error(error.message)
  return formula.stored
}

/** The schemas with changed properties of the tasks. */
function changed(change: (property: SchemaProperty) => SchemaProperty | undefined): FormulaSchemas {
  return (dataSourceId) => {
    const schema = schemas.get(dataSourceId)
    if (schema === undefined || dataSourceId !== TASKS) return schema
    return { dataSourceId, properties: schema.properties.flatMap((property) => change(property) ?? []) }
  }
}

const renamed = changed((property) => (property.id === 'id_Hours' ? { ...property, name: 'Say "hours"\\' } : property))
const without = changed((property) => (property.id === 'id_Hours' ? undefined : property))

describe('a stored formula', () => {
  it.each([
    'prop("Hours") * 40',
    '= prop( "Hours" )\n\t/* prop("Hours") in a comment */ + 1',
    '"prop(\\"Hours\\")" + prop("Hours")',
    'prop("Customers").map(current.prop("City"))',
    'prop("Hours") + prop("Hours")',
    '1 + 2',
    '',
  ])('is shown as it was sent: %s', (text) => {
    expect(renderStored(stored(text), current)).toBe(text)
  })

  it('is shown with the name of a property that was sent by id', () => {
    expect(renderStored(stored('prop("id_Hours")'), current)).toBe('prop("Hours")')
  })

  it('is shown with the new name of a renamed property, and can be sent in that form', () => {
    const shown = renderStored(stored('1 + prop("Hours")'), renamed)
    expect(shown).toBe('1 + prop("Say \\"hours\\"\\\\")')
    const again = new FormulaCompiler(renamed).compile(shown, TASKS)
    expect(again.formula?.references).toEqual([{ dataSourceId: TASKS, propertyId: 'id_Hours', lastName: 'Say "hours"\\' }])
  })

  it('compiles to the same values after a property is renamed', () => {
    const { formula } = new FormulaCompiler(renamed).compile(stored('prop("Hours") * 40'), TASKS, 'stored')
    if (formula === undefined) throw new Error('should compile')
    expect(formula.stored).toBe(stored('prop("Hours") * 40'))
    expect(formulaResult(formula, evaluate(formula, task, compiler, { now: NOW }))).toEqual({ type: 'number', number: 300 })
  })

  it('is shown with the last name of a deleted property, and no longer compiles', () => {
    expect(renderStored(stored('prop("Hours") * 40'), without)).toBe('prop("Hours") * 40')
    const { error } = new FormulaCompiler(without).compile(stored('prop("Hours") * 40'), TASKS, 'stored')
    expect(error?.message).toBe('the property "Hours" is unknown')
  })

  it('lists the properties that the formula uses', () => {
    const text = stored('prop("Customers").map(current.prop("City") + prop("Name"))')
    expect(referencesOfStored(text)).toEqual([
      { dataSourceId: TASKS, propertyId: 'id_Customers', lastName: 'Customers' },
      { dataSourceId: CUSTOMERS, propertyId: 'id_City', lastName: 'City' },
      { dataSourceId: TASKS, propertyId: 'id_Name', lastName: 'Name' },
    ])
  })

  it('reads a property name with braces and quotes as one reference', () => {
    const odd = changed((property) => (property.id === 'id_Hours' ? { ...property, name: '}}"\\"{{' } : property))
    const text = new FormulaCompiler(odd).compile('prop("id_Hours") + 1', TASKS).formula?.stored ?? ''
    expect(renderStored(text, odd)).toBe('prop("}}\\"\\\\\\"{{") + 1')
  })
})

describe('the value of a formula', () => {
  it.each(['""', 'prop("Notes")', 'empty()', 'prop("Labels")', 'prop("Nothing")'])(
    'is null instead of an empty string: %s',
    (text) => {
      const { formula } = compiler.compile(text, TASKS)
      expect(formula && formulaResult(formula, evaluate(formula, task, compiler, { now: NOW }))).toEqual({
        type: 'string',
        string: null,
      })
    },
  )

  it.each(['prop("Broken")', 'prop("Broken") + 1', 'empty(prop("Broken"))'])(
    'is unsupported if the formula uses a broken one: %s',
    (text) => {
      const { formula } = compiler.compile(text, TASKS)
      expect(formula && formulaResult(formula, evaluate(formula, task, compiler, { now: NOW }))).toEqual({
        type: 'unsupported',
        unsupported: {},
      })
    },
  )
})
