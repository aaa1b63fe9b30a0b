import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '../../server')

function filesWith(words: RegExp): string[] {
  return globSync('**/*.{ts,js}', { cwd: SERVER })
    .filter((file) => words.test(readFileSync(join(SERVER, file), 'utf8')))
    .toSorted()
}

it('what proves something is compared in constant time, by one function', () => {
  expect(filesWith(/timingSafeEqual/)).toEqual(['kernel/is_same_digest.ts'])
})

/** A module that compares a new kind of proof is added here; one that is missing compares its proof in some other way. */
it('secrets of clients, challenges, passwords, sessions, tokens of webhooks and of the metrics, links to files and cursors are compared by it', () => {
  expect(filesWith(/^import \{ isSameDigest \}/m)).toEqual([
    'domain/oauth/client.ts',
    'domain/oauth/exchange.ts',
    'domain/people/devices.ts',
    'domain/people/passwords.ts',
    'domain/people/sessions.ts',
    'domain/webhooks/token.ts',
    'http/metrics_page.ts',
    'kernel/cursors.ts',
    'kernel/file_links.ts',
  ])
})
