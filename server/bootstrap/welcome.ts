import type { Service } from '../service.ts'
import { newestRelease } from '../versions/index.ts'

/** What a person who has just started the service needs next. */
export function printWelcome({ url, bootstrapped }: Pick<Service, 'url' | 'bootstrapped'>): void {
  const { token, isNew, samplePageId } = bootstrapped
  const shown = token ?? '<token>'
  const target = samplePageId === undefined ? '/v1/users/me' : `/v1/blocks/${samplePageId}/children?page_size=5`
  const lines = [
    '',
    `  The workspace service listens on ${url}`,
    `  Reference           ${url}/docs`,
    `  Contract            ${url}/openapi.yaml`,
    '',
    ...tokenLines(token, isNew),
    '  Try it:',
    '',
    `    curl '${url}${target}' \\`,
    `      -H 'Authorization: Bearer ${shown}' \\`,
    `      -H 'Service-Version: ${newestRelease}'`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function tokenLines(token: string | undefined, isNew: boolean): string[] {
  if (token === undefined) {
    return [
      '  The token of the demo connection was shown when the database was made; only its digest is kept.',
      '  To choose a new one, start with BOOTSTRAP_TOKEN=<16 to 80 letters and digits>.',
      '',
    ]
  }
  return isNew ? [`  Token (shown once)  ${token}`, ''] : [`  Token               ${token}`, '']
}
