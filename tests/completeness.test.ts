import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { operations } from '../generated/operations.ts'
import { handlers } from '../server/handlers/index.ts'
import { oauth } from '../server/handlers/oauth.ts'
import { pending } from '../server/handlers/pending.ts'

/** What is served and what is still to come. The list may only shrink: lower the number with it, never raise it. */
const { pending_max: pendingMax } = JSON.parse(
  readFileSync(new URL('./completeness/pending_max.json', import.meta.url), 'utf8'),
) as { pending_max: number }

describe('operations of the contract', () => {
  const all = Object.keys(operations)
  const toCome: readonly string[] = pending
  // The consent page is no handler: it answers with HTML.
  const pages = Object.values(operations)
    .filter(({ credentials, id }) => credentials === 'none' && !toCome.includes(id))
    .map(({ id }) => id)
  const served: readonly string[] = [...Object.keys(handlers), ...Object.keys(oauth), ...pages]

  // If you are here because an operation is in both lists or in none: give it a handler in server/handlers and take it out of
  // pending.ts, or name it there until it has one.
  it('each is either served or pending', () => {
    expect(all.filter((id) => served.includes(id) === toCome.includes(id))).toStrictEqual([])
    expect([...served, ...toCome].filter((id) => !all.includes(id))).toStrictEqual([])
  })

  // If you are here because the list has grown: it may not. Handle the operation. If it has shrunk: lower the number in
  // pending_max.json with it.
  it('the pending list has not grown', () => {
    process.stdout.write(`\nPending operations: ${toCome.length}\n  ${toCome.join(' ')}\n`)
    expect(new Set(toCome).size).toBe(toCome.length)
    expect(toCome.length, 'tests/completeness/pending_max.json').toBeLessThanOrEqual(pendingMax)
  })
})
