import { readClients, type PublicClient } from './client.ts'
import { install } from './install.ts'
import { runKit } from './kit.ts'
import { NotRun } from './not_run.ts'
import { programs } from './programs/programs.ts'
import { printCounts, printRow, writePage, type Outcome } from './report.ts'
import { Run } from './run.ts'
import { startServiceProcess, type ServiceProcess } from './service.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

/** Tests public clients, unmodified except for address and token, with the running service: `npm run test:clients [-- <word>]`. */
const [word = ''] = parseCommandLine(import.meta.filename, { allowPositionals: true }).positionals
const chosen = readClients().filter((client) => JSON.stringify(client).includes(word))
const outcomes: Outcome[] = []
try {
  await tryScripts(chosen.filter(({ language }) => language === 'JavaScript'))
  for (const client of chosen.filter(({ language }) => language !== 'JavaScript')) await tryKit(client)
  printCounts(outcomes)
  if (word === '') await writePage(outcomes)
  const ran = outcomes.filter(({ notRun }) => notRun === undefined)
  process.exitCode = ran.length === 0 ? 2 : ran.every(isAsKnown) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

/** Whether exactly the known failures occurred. */
function isAsKnown({ client, tried }: Outcome): boolean {
  const failed = tried.flatMap(({ name, fault }) => (fault === undefined ? [] : [name]))
  const known = Object.keys(client.known)
  return tried.length > 0 && failed.every((name) => known.includes(name)) && known.every((name) => failed.includes(name))
}

/** Clients that run in this process share one service. */
async function tryScripts(clients: readonly PublicClient[]): Promise<void> {
  if (clients.length === 0) return
  const service = await startServiceProcess()
  try {
    for (const client of clients) await record(client, (run) => runScript(client, service, run))
  } finally {
    await service.stop()
  }
}

/** Tests a client of another language with a separate service, whose sample workspace is unchanged. */
async function tryKit(client: PublicClient): Promise<void> {
  const service = await startServiceProcess()
  try {
    await record(client, (run) => runKit(client, service, run))
  } finally {
    await service.stop()
  }
}

async function record(client: PublicClient, use: (run: Run) => Promise<void>): Promise<void> {
  const run = new Run()
  try {
    await use(run)
    add({ client, tried: run.tried })
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    add({ client, tried: [], notRun: error.message })
  }
}

function add(outcome: Outcome): void {
  outcomes.push(outcome)
  printRow(outcome)
}

async function runScript(client: PublicClient, service: ServiceProcess, run: Run): Promise<void> {
  const program = programs[client.program]
  if (!program) throw new Error(`clients.json: no program ${client.program}`)
  await program({ run, client, installed: await install(client), service })
}
