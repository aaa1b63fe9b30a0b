/**
 * Updates the tables of the capacity guide after the figures in costs.ts have changed.
 *
 *     node bench/capacity.ts
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tables, writingLimit } from './capacity/tables.ts'
import { projectRoot } from './processes/launch.ts'

const file = join(projectRoot, 'spec/guides/12-capacity.md')
const old = readFileSync(file, 'utf8')
const made = tables().reduce((text, table) => {
  const [head = ''] = table.split('\n')
  const start = text.indexOf(head)
  const end = text.indexOf('\n\n', start)
  if (start === -1 || end === -1) throw new Error(`The guide has no table that begins with ${head}`)
  return text.slice(0, start) + table + text.slice(end)
}, old)
writeFileSync(file, made)
console.log(`One writer: ${writingLimit('SQLite')}, one workspace on PostgreSQL: ${writingLimit('PostgreSQL')} requests a second`)
