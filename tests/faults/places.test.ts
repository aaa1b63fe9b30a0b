import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pathOf, plant } from './fault.ts'
import { plantedFaults } from './planted/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')

// If you are here because code that you changed is named below: the fault that was planted in it has to follow. Give it the new text, or
// where the mistake can no longer be made, take the fault out of its list.
describe.each(Object.entries(plantedFaults))('planted faults: %s', (_area, faults) => {
  it('every fault matches exactly one location', () => {
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
