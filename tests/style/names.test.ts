import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'

const testsIn = (folder: string): string[] =>
  readdirSync(resolve(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  )
const files = testsIn('operations')
const operationOf = (file: string): string => file.split('/').at(-1)?.split('.')[0] ?? ''

// Those of OAuth have a folder of their own, tests/oauth, with topics that concern several of them.
describe('tests of operations', () => {
  // If you are here because a file is listed: it begins with the operationId that it is mostly about: `createPage.templates.test.ts`.
  // What holds for many operations stands in tests/protocol, tests/access or tests/limits.
  it('are in files that begin with an operation id', () => {
    expect(files.filter((file) => !Object.hasOwn(operations, operationOf(file)))).toEqual([])
  })

  // If you are here because an operation is listed: its tests stand in a file called like it, in the folder of its resource.
  it('exist for every served operation', () => {
    const named = new Set([...files, ...testsIn('oauth')].map(operationOf))
    expect(Object.keys(operations).filter((id) => !named.has(id))).toEqual([])
  })
})
