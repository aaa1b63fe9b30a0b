import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { functions } from '../../server/domain/data/formulas/functions/index.ts'
import type { Parameter } from '../../server/domain/data/formulas/functions/definition.ts'
import { functionNames } from '../formulas/support/function_names.ts'
import { specialForms } from '../../server/domain/data/formulas/special_forms.ts'
import { given } from '../formulas/support/workshop.ts'
import { projectRoot } from '../spec/support/files.ts'

const guide = readFileSync(join(projectRoot, 'spec/guides/04-formulas.md'), 'utf8')
const FUNCTION_ROW = /^\| `(\w+)\((.*?)\)` \| .+ \| `.+` \| `?.+?`? \|$/gm
const EXAMPLE_ROW = /^\| .+ \| `(.+)` \| (?:`(.+)`|empty) \|$/gm

function signature(parameters: readonly Parameter[]): string {
  return parameters
    .map(({ kinds, isOptional, repeats }) => `${kinds?.join(' or ') ?? 'any'}${isOptional ? '?' : ''}${repeats ? ', …' : ''}`)
    .join(', ')
}

function shown(value: string | number | boolean | null, type: string): string | undefined {
  if (value === null) return undefined
  return type === 'string' ? JSON.stringify(value) : String(value)
}

// If you are here because a function is new or changed: give it a row in the guide, with an example and its result.
describe('the guide to formulas', () => {
  it('has every function once, with its arguments', () => {
    const documented = [...guide.matchAll(FUNCTION_ROW)].map(([, name, parameters]) => [name, parameters])
    expect(documented.map(([name]) => name).toSorted()).toEqual(functionNames)
    const parametersOf = new Map([...specialForms, ...functions].map(([name, { parameters }]) => [name, signature(parameters)]))
    parametersOf.set('prop', 'text')
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(parametersOf))
  })

  it('shows the same results as the service', () => {
    const documented = [...guide.matchAll(EXAMPLE_ROW)].map(([, example = '', result]) => [example, result] as const)
    expect(documented.length).toBeGreaterThan(functionNames.length)
    const real = documented.map(([example]) => {
      const { type, value } = given(example)
      return [example, shown(value, type)]
    })
    expect(real).toEqual(documented)
  })

  it("uses each function in the function's own example", () => {
    for (const [row, name = ''] of guide.matchAll(FUNCTION_ROW)) expect(row.split(' | ').at(-2), row).toContain(`${name}(`)
  })
})
