import { newestRelease } from '../../generated/operations.ts'
import type { Bootstrapped } from './bootstrap.ts'

/** What a person who has just started the service needs next. */
export function printWelcome({ url, bootstrapped }: { readonly url: string; readonly bootstrapped: Bootstrapped }): void {
  const { newToken, samplePageId } = bootstrapped
  // A shell fills in what cannot, or should not, be shown again.
  const authorization = newToken === undefined ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${newToken}'`
  const target = samplePageId === undefined ? '/v1/users/me' : `/v1/blocks/${samplePageId}/children?page_size=5`
  const lines = [
    '',
    `  The workspace service listens on ${url}`,
    `  Reference           ${url}/docs`,
    `  Contract            ${url}/openapi.yaml`,
    '',
    ...tokenLines(bootstrapped),
    newToken === undefined ? '  Try it, where TOKEN is that token:' : '  Try it:',
    '',
    `    curl '${url}${target}' \\`,
    `      -H ${authorization} \\`,
    `      -H 'Service-Version: ${newestRelease}'`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function tokenLines({ newToken, isTokenGiven }: Bootstrapped): string[] {
  if (newToken !== undefined) return [`  Token (shown once)  ${newToken}`, '']
  if (isTokenGiven) return ['  The token of the demo connection is the one in BOOTSTRAP_TOKEN.', '']
  return [
    '  The token of the demo connection was shown when the database was created; only its digest is stored.',
    '  To choose a new one, start with BOOTSTRAP_TOKEN=<16 to 80 letters and digits>.',
    '',
  ]
}
