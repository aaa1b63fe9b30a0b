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

// Operations of OAuth have a separate folder, tests/oauth, with topics that concern several of them.
describe('tests of operations', () => {
  // If you are here because a file is listed: its name must begin with the operationId that it mainly tests:
  // `createPage.templates.test.ts`. Tests of many operations belong in tests/protocol, tests/access or tests/limits.
  it('are in files that begin with an operation id', () => {
    expect(files.filter((file) => !Object.hasOwn(operations, operationOf(file)))).toEqual([])
  })

  // If you are here because an operation is listed: its tests belong in a file of its name, in the folder of its resource.
  it('exist for every served operation', () => {
    const named = new Set([...files, ...testsIn('oauth')].map(operationOf))
    expect(Object.keys(operations).filter((id) => !named.has(id))).toEqual([])
  })
})
