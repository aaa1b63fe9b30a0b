import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { PublicClient } from './client.ts'
import type { Tried } from './run.ts'

export interface Outcome {
  readonly client: PublicClient
  readonly tried: readonly Tried[]
  /** Why it could not be tested on this machine. */
  readonly notRun?: string
}

/** Prints the result of a client, and each failed call. */
export function printRow(outcome: Outcome): void {
  const { client, tried } = outcome
  console.log(`${`${client.package} ${client.version}`.padEnd(36)} ${client.protocol}  ${countOf(outcome)}`)
  for (const { name, fault } of tried.filter(isFailed)) console.log(`  ${name}: ${client.known[name] ?? `NOT KNOWN: ${fault}`}`)
}

/** Prints the number of tested clients, and of those that could not run. */
export function printCounts(outcomes: readonly Outcome[]): void {
  const left = outcomes.filter(({ notRun }) => notRun !== undefined)
  console.log(`${outcomes.length - left.length} clients were run, ${left.length} were not`)
}

/** Writes `CLIENTS.md`, which is committed. */
export async function writePage(outcomes: readonly Outcome[]): Promise<void> {
  const languages = Map.groupBy(outcomes, ({ client }) => client.language)
  const sections = [...languages].map(([language, tried]) => `## ${language}\n\n${HEADER}\n${tried.map(rowOf).join('\n')}\n`)
  await writeFile(resolve(import.meta.dirname, '../../CLIENTS.md'), [INTRODUCTION, ...sections].join('\n'))
}

function rowOf(outcome: Outcome): string {
  const { client } = outcome
  const why = [...reasonsOf(outcome), ...(client.note === '' ? [] : [client.note])]
  const beside = Object.entries(client.beside).map(([name, version]) => ` with ${name} ${version}`)
  const date = `${client.protocol}${client.set ? ' (set)' : ''}`
  const cells = [client.package + beside.join(''), client.version, date, client.tests, countOf(outcome), why.join('<br>')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Each reason once, after all calls that fail for this reason. Tests of suites are listed without their modules. */
function reasonsOf({ client, tried }: Outcome): string[] {
  const byReason = Map.groupBy(tried.filter(isFailed), ({ name, fault }) => client.known[name] ?? fault ?? '')
  return [...byReason].map(([reason, calls]) => `${calls.map(({ name }) => name.split('::').at(-1)).join(', ')}: ${reason}`)
}

function countOf({ tried, notRun }: Outcome): string {
  return notRun === undefined ? `${tried.filter((each) => !isFailed(each)).length} of ${tried.length}` : `not run: ${notRun}`
}

function isFailed({ fault }: Tried): boolean {
  return fault !== undefined
}

const INTRODUCTION = `# Public clients

Public clients of the same protocol, tested against this service. They come from the package registries of their languages and are
unmodified except for address and token. The service runs with \`HEADER_BRAND=Notion\`, so that its headers have the names that these
clients use. The names are trademarks of their owners, who have nothing to do with this project.

- **Tests**: \`its own\` is the client's own test suite, as far as its package has one and the tests send requests. \`program\` is a typical
  program of ours: it reads, creates, changes, queries, comments, searches and deletes, as far as the client can.
- **Passed**: how many tests of the suite passed, or how many calls of the program returned what users of the client rely on.
- **Protocol date**: the release date that the client sends; \`(set)\` if the program chose it.

The row \`workerd\` is this project's own client in an edge runtime.

\`npm run test:clients\` writes this page. It needs package registries and the toolchains of the languages, says which of them are missing,
and is not part of \`npm test\`. Versions and programs are in \`tests/clients/\`.
`

const HEADER = `| Client | Version | Protocol date | Tests | Passed | Failures, and what was left out |
|---|---|---|---|---|---|`
