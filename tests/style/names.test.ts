import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { servedWith } from '../harness/every_operation.ts'

const folder = resolve(import.meta.dirname, '../operations')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
const operationOf = (file: string): string => file.split('/').at(-1)?.split('.')[0] ?? ''

// Those of OAuth are tested by their topics, in tests/oauth.
describe('tests of operations are found by name', () => {
  // If you are here because a file is listed: it begins with the operationId that it is mostly about: `createPage.templates.test.ts`.
  // What holds for many operations stands in tests/protocol, tests/access or tests/limits.
  it('every file in tests/operations begins with the id of an operation', () => {
    expect(files.filter((file) => !Object.hasOwn(operations, operationOf(file)))).toEqual([])
  })

  // If you are here because an operation is listed: its tests stand in a file called like it, in the folder of its resource.
  it('every operation that is served has a file', () => {
    const named = new Set(files.map(operationOf))
    expect(
      servedWith('bearer', 'connection')
        .map(({ id }) => id)
        .filter((id) => !named.has(id)),
    ).toEqual([])
  })
})
