import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { errorCodes, oauthErrorCodes } from '../generated/error_codes.ts'
import { operations } from '../generated/operations.ts'
import { handlers } from '../server/handlers/index.ts'
import { oauthHandlers } from '../server/handlers/oauth.ts'

describe('operations of the contract', () => {
  // The consent page has no handler: its response is HTML.
  const pages = Object.values(operations)
    .filter(({ credentials }) => credentials === 'none')
    .map(({ id }) => id)

  // If you are here because an operation is listed: give it a handler in server/handlers, or remove a handler that the contract does not
  // know.
  it('have exactly one handler each', () => {
    const served: readonly string[] = [...Object.keys(handlers), ...Object.keys(oauthHandlers), ...pages]
    expect(served.toSorted()).toStrictEqual(Object.keys(operations).toSorted())
  })
})

describe('error codes of the contract', () => {
  const root = new URL('../server/', import.meta.url)
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    // A `case` only distinguishes codes.
    .map((file) => readFileSync(new URL(file, root), 'utf8').replaceAll(/\bcase '\w+':/g, ''))

  // If you are here because a code is listed: the server should return it. If nothing can cause it yet, its schema in spec/shared/schemas
  // must say "Reserved".
  it('are all used in the code of the service, except for reserved ones', () => {
    const codes = Object.entries({ ...errorCodes, ...oauthErrorCodes })
    const unused = codes.filter(([code]) => !sources.some((source) => source.includes(`'${code}'`)))
    const reserved = codes.filter(([, { description }]) => /\bReserved\b/.test(description))
    expect(unused.map(([code]) => code)).toEqual(reserved.map(([code]) => code))
  })
})
