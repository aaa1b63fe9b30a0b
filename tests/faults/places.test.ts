import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pathOf, plant } from './fault.ts'
import { plantedFaults } from './planted/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')

// If you are here because changed code is named below: update the fault that was planted in it. Give it the new text, or remove it if the
// mistake is no longer possible.
describe.each(Object.entries(plantedFaults))('planted faults: %s', (_area, faults) => {
  it('have text that occurs exactly once in the code', () => {
    const gone = faults.flatMap((fault, index) => {
      try {
        plant(readFileSync(resolve(ROOT, pathOf(fault)), 'utf8'), fault)
        return []
      } catch (error) {
        return [`${index + 1}: ${String(error)}`]
      }
    })
    expect(gone).toEqual([])
  })
})
