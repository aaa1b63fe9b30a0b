import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tables, writingLimit } from '../../bench/capacity/tables.ts'
import { projectRoot } from '../spec/support/files.ts'

const guide = readFileSync(join(projectRoot, 'spec/guides/12-capacity.md'), 'utf8')

describe('the guide to capacity', () => {
  // If you are here because a table differs: figures of bench/capacity/costs.ts have changed. `node bench/capacity.ts` replaces the tables.
  it.each(tables())('has the table computed from the measured costs: %s', (table) => {
    expect(guide).toContain(`\n${table}\n`)
  })

  it('states the capacity of one writer and one workspace', () => {
    expect(guide.replaceAll(/\n +/g, ' ')).toContain(`${writingLimit('SQLite')} average requests per second`)
    expect(guide.replaceAll(/\n +/g, ' ')).toContain(`${writingLimit('PostgreSQL')} requests per second`)
  })
})
