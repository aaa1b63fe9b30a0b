import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { functionCounts, functionNames } from './support/function_names.ts'

const source = join(import.meta.dirname, '../../spec/families/property_types/unions/formulas.yaml')
const { description } = (parse(await readFile(source, 'utf8')) as { FormulaExpression: { description: string } })
  .FormulaExpression
const [, functionsOn = ''] = description.split('## Functions')
const [section = ''] = functionsOn.split('## Results')

interface Documented {
  readonly name: string
  /** The text in its parentheses; undefined without any. */
  readonly parameters: string | undefined
}

/** The functions in the first column of the tables. Parentheses after several names apply to each. */
const documented: Documented[] = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [, cell = ''] = line.split(' | ', 1)[0]?.split('| ') ?? []
    const shared = /\(([^)]*)\)$/.exec(cell.replaceAll(/`[^`]*`/g, ''))?.[1]
    return [...cell.matchAll(/`([A-Za-z0-9]+)(?:\(([^)]*)\))?`/g)].map(([, name = '', own]) => ({
      name,
      parameters: own ?? shared,
    }))
  })

function countsOf(parameters: string): { least: number; most: number } {
  const names = parameters.split(',').flatMap((name) => name.trim() || [])
  const isOpen = names.includes('…')
  const plain = names.filter((name) => name !== '…')
  return { least: plain.filter((name) => !name.endsWith('?')).length, most: isOpen ? Infinity : plain.length }
}

describe('the tables of functions in the contract', () => {
  // If you are here because the lists differ: a function has its row in
  // spec/families/property_types/unions/formulas.yaml and its code in server/domain/data/formulas/functions.
  it('name exactly the existing functions', () => {
    const names = new Set(documented.map(({ name }) => name))
    expect([...names, 'prop'].toSorted()).toEqual(functionNames)
    expect(description).toContain('`prop("Name")`')
  })

  it('give the least and greatest number of arguments of each function', () => {
    // The last argument of these functions follows any number of pairs, which the counts cannot express.
    const ofPairs = new Set(['ifs', 'lets'])
    const documentedCounts = Map.groupBy(
      documented.filter(({ name, parameters }) => parameters !== undefined && !ofPairs.has(name)),
      ({ name }) => name,
    )
    expect(documentedCounts.size).toBeGreaterThan(70)
    for (const [name, signatures] of documentedCounts) {
      const counts = signatures.map(({ parameters }) => countsOf(parameters ?? ''))
      const all = { least: Math.min(...counts.map(({ least }) => least)), most: Math.max(...counts.map(({ most }) => most)) }
      expect({ name, ...all }).toEqual({ name, ...functionCounts.get(name) })
    }
  })
})
