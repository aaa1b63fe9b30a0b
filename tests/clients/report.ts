import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PublicClient } from './client.ts'
import type { Tried } from './run.ts'

export interface Outcome {
  readonly client: PublicClient
  readonly tried: readonly Tried[]
}

/** Prints a row for each client, and each call that failed. */
export function printTable(outcomes: readonly Outcome[]): void {
  for (const { client, tried } of outcomes) {
    const failed = tried.filter(({ fault }) => fault !== undefined)
    const count = `${tried.length - failed.length} of ${tried.length}`.padEnd(10)
    console.log(`${`${client.package} ${client.version}`.padEnd(36)} ${client.protocol}  ${count}`)
    for (const { name, fault } of failed) console.log(`  ${name}: ${client.known[name] ?? `NOT KNOWN: ${fault}`}`)
  }
}

/** Writes `CLIENTS.md`, which is checked in. */
export async function writePage(outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ client, tried }) => {
    const failed = tried.filter(({ fault }) => fault !== undefined)
    const why = failed.map(({ name, fault }) => `${name}: ${client.known[name] ?? fault ?? ''}`).join('<br>')
    const beside = Object.entries(client.beside).map(([name, version]) => ` with ${name} ${version}`)
    const date = `${client.protocol}${client.set ? ' (set)' : ''}`
    const cells = [client.package + beside.join(''), client.version, date, `${tried.length - failed.length} of ${tried.length}`]
    return `| ${[...cells, why.replaceAll('|', '\\|')].join(' | ')} |`
  })
  await writeFile(resolve(import.meta.dirname, '../../CLIENTS.md'), `${INTRODUCTION}\n${HEADER}\n${rows.join('\n')}\n`)
}

const INTRODUCTION = `# Public clients

Public clients of the same protocol, tested against this service. They come from the npm registry and are unmodified except for address and
token. The service runs with \`HEADER_BRAND=Notion\`, so that its headers have the names that these clients use. Each client runs a typical
program; a call passes if it returns what users of the client rely on. The names are trademarks of their owners, who have nothing to do
with this project.

The row \`workerd\` is this project's own client in an edge runtime.

\`npm run test:clients\` writes this page. It needs a package registry and is not part of \`npm test\`. Versions and programs are in
\`tests/clients/\`.
`

const HEADER = `| Client | Version | Protocol date | Calls passed | Failures |
|---|---|---|---|---|`
