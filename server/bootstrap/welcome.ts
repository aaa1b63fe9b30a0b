import { newestRelease } from '../../generated/operations.ts'
import type { Config } from '../config.ts'
import type { DatabaseAddress } from '../kernel/addresses.ts'
import { isEveryAddress } from '../kernel/listening_address.ts'
import type { Bootstrapped } from './bootstrap.ts'

interface Started {
  readonly url: string
  readonly bootstrapped: Bootstrapped
}

/** Next steps for a person who has just started the service. */
export function printWelcome(
  started: Started,
  { database, host, baseUrl, hasConsole }: Pick<Config, 'database' | 'host' | 'baseUrl' | 'hasConsole'>,
): void {
  const { url, bootstrapped } = started
  const lines = [
    `The workspace service listens on ${url}`,
    ...(baseUrl === undefined && isEveryAddress(host)
      ? ['and on every other address of this machine. Set BASE_URL to the public one: links begin with it.']
      : []),
    '',
    `Reference           ${url}/docs`,
    `Contract            ${url}/openapi.yaml`,
    ...(hasConsole ? [`Console             ${url}/console`] : []),
    `Data                ${placeOf(database)}`,
    ...(bootstrapped.workspaceId === undefined ? ownLines(bootstrapped) : demoLines(started)),
    '',
    'Ctrl+C stops it.',
  ]
  process.stdout.write(`\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`)
}

function placeOf(address: DatabaseAddress): string {
  if (address.engine === 'postgresql') return `${new URL(address.url).host}${new URL(address.url).pathname}`
  return address.path === ':memory:' ? 'in memory, lost when it stops' : address.path
}

function demoLines({ url, bootstrapped }: Started): string[] {
  const { newToken, samplePageId } = bootstrapped
  // A shell variable stands for a value that cannot, or should not, be shown again.
  const authorization = newToken === undefined ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${newToken}'`
  const target = samplePageId === undefined ? '/v1/users/me' : `/v1/blocks/${samplePageId}/children?page_size=5`
  return [
    ...tokenLines(bootstrapped),
    '',
    newToken === undefined ? 'Try it, with that token in TOKEN:' : 'Try it:',
    '',
    `  curl '${url}${target}' \\`,
    `    -H ${authorization} \\`,
    `    -H 'Service-Version: ${newestRelease}'`,
    '',
    'Next:',
    '',
    `  from a program    createWorkspaceClient({ baseUrl: '${url}', token }) of 'workspace-service/client'`,
    '  for tests         npx --no -- workspace-service --test',
    '  people, tokens    npx --no -- workspace-service --help',
    '  without the demo  WORKSPACE_BOOTSTRAP_SAMPLE=false npx --no -- workspace-service, on an empty database',
  ]
}

function tokenLines({ newToken, isTokenGiven }: Bootstrapped): string[] {
  if (newToken !== undefined) return [`Token (shown once)  ${newToken}`]
  if (isTokenGiven) return ['', 'The token of the demo connection is the one in BOOTSTRAP_TOKEN.']
  return [
    '',
    'The token of the demo connection was shown when the database was created; only its digest is stored.',
    'To choose a new one, start with BOOTSTRAP_TOKEN=<16 to 80 letters and digits>.',
  ]
}

/** For people who have, or will create, their own workspace. */
function ownLines({ hasWorkspace }: Bootstrapped): string[] {
  const connection = '  npx --no -- workspace-service connection create "My integration" --share workspace'
  if (hasWorkspace) return ['', 'A token comes with each connection:', '', connection]
  return [
    '',
    'The database contains no workspace yet. Create one, with an owner and a connection:',
    '',
    '  npx --no -- workspace-service init',
  ]
}
