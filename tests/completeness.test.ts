import { describe, expect, it } from 'vitest'
import { operations } from '../generated/operations.ts'
import { handlers } from '../server/handlers/index.ts'
import { oauth } from '../server/handlers/oauth.ts'

describe('operations of the contract', () => {
  // The consent page is no handler: it answers with HTML.
  const pages = Object.values(operations)
    .filter(({ credentials }) => credentials === 'none')
    .map(({ id }) => id)

  // If you are here because an operation is listed: give it a handler in server/handlers, or take away the one that the contract
  // does not know.
  it('each has one handler, and there is none besides', () => {
    const served: readonly string[] = [...Object.keys(handlers), ...Object.keys(oauth), ...pages]
    expect(served.toSorted()).toStrictEqual(Object.keys(operations).toSorted())
  })
})
