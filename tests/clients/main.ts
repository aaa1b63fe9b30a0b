import { readClients, type PublicClient } from './client.ts'
import { install } from './install.ts'
import { programs } from './programs/programs.ts'
import { printTable, writePage, type Outcome } from './report.ts'
import { Run } from './run.ts'
import { startServiceProcess, type ServiceProcess } from './service.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

/** Tries public clients, unmodified but for address and token, on the running service: `npm run test:clients [-- <word>]`. */
const [word = ''] = parseCommandLine(import.meta.filename, { allowPositionals: true }).positionals
const chosen = readClients().filter((client) => JSON.stringify(client).includes(word))
const service = await startServiceProcess()
const outcomes: Outcome[] = []
try {
  for (const client of chosen) outcomes.push(await tryClient(client, service))
  printTable(outcomes)
  if (word === '') await writePage(outcomes)
  process.exitCode = outcomes.length > 0 && outcomes.every(isAsKnown) ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await service.stop()
}

/** Whether all went well but what is known to fail, and that failed. */
function isAsKnown({ client, tried }: Outcome): boolean {
  const failed = tried.flatMap(({ name, fault }) => (fault === undefined ? [] : [name]))
  return failed.every((name) => client.known[name]) && Object.keys(client.known).every((name) => failed.includes(name))
}

async function tryClient(client: PublicClient, service: ServiceProcess): Promise<Outcome> {
  const program = programs[client.program]
  if (!program) throw new Error(`clients.json: no program ${client.program}`)
  const installed = await install(client)
  const run = new Run()
  await program({ run, client, installed, service })
  return { client, tried: run.tried }
}
