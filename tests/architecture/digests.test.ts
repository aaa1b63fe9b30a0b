import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '../../server')

function filesWith(words: RegExp): string[] {
  return globSync('**/*.{ts,js}', { cwd: SERVER })
    .filter((file) => words.test(readFileSync(join(SERVER, file), 'utf8')))
    .toSorted()
}

it('only one file calls timingSafeEqual', () => {
  expect(filesWith(/timingSafeEqual/)).toEqual(['kernel/is_same_digest.ts'])
})

/**
 * If you are here because a module is listed: add it if it compares a new kind of proof. If one is missing, it compares its proof in
 * another way.
 */
it('client secrets, challenges, passwords, sessions, tokens, file links and cursors are compared with isSameDigest', () => {
  expect(filesWith(/^import \{ isSameDigest \}/m)).toEqual([
    'domain/events/webhooks/token.ts',
    'domain/oauth/exchange.ts',
    'domain/people/client_credentials.ts',
    'domain/people/devices.ts',
    'domain/people/passwords.ts',
    'domain/people/sessions.ts',
    'http/metrics_page.ts',
    'kernel/cursors.ts',
    'kernel/file_links.ts',
  ])
})
