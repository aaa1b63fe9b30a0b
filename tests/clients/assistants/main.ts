/**
 * Compares the tools of this service with the public tool server of the same protocol, by forty tasks of the same planner:
 * `npm run test:assistants`. It needs the package registry, and prints the table of mcp/README.md.
 */

import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { install, type Installed } from '../install.ts'
import { startServiceProcess, type ServiceProcess } from '../service.ts'
import { parseCommandLine } from '../../../scripts/parse_command_line.ts'
import { CountedClient, type Effort } from './counted_client.ts'
import { ownWorker } from './own_worker.ts'
import { publicWorker } from './public_worker.ts'
import { tasks, type Task } from './tasks.ts'
import type { Worker } from './worker.ts'

const PUBLIC_SERVER = '@notionhq/notion-mcp-server'

interface Result {
  readonly said: unknown
  readonly effort: Effort
}

interface Run {
  readonly descriptionBytes: number
  readonly results: readonly Result[]
}

/** Runs all tasks with one tool server, in a workspace of its own. */
async function runTasks(
  makeTransport: (service: ServiceProcess) => Transport,
  makeWorker: (tools: CountedClient) => Worker,
): Promise<Run> {
  const service = await startServiceProcess()
  const client = new Client({ name: 'planner', version: '1.0.0' })
  try {
    await client.connect(makeTransport(service))
    const tools = new CountedClient(client)
    const worker = makeWorker(tools)
    const results: Result[] = []
    for (const task of tasks) results.push({ said: await saidBy(task, worker), effort: tools.take() })
    return { descriptionBytes: await tools.descriptionBytes(), results }
  } finally {
    await client.close()
    await service.stop()
  }
}

async function saidBy(task: Task, worker: Worker): Promise<unknown> {
  try {
    return await task.plan(worker)
  } catch (cause) {
    throw new Error(`${task.kind}: ${task.name}`, { cause })
  }
}

function ownTransport({ url, token }: ServiceProcess): Transport {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  })
}

function publicTransport({ folder }: Installed, { url, token }: ServiceProcess): Transport {
  const headers = { Authorization: `Bearer ${token}`, 'Notion-Version': '2026-03-11' }
  return new StdioClientTransport({
    command: process.execPath,
    args: [join(folder, 'node_modules', PUBLIC_SERVER, 'bin/cli.mjs')],
    env: { PATH: process.env['PATH'] ?? '', BASE_URL: url, OPENAPI_MCP_HEADERS: JSON.stringify(headers) },
    stderr: 'ignore',
  })
}

function sumOf(run: Run, kind?: Task['kind']): Effort {
  const chosen = run.results.filter((_result, index) => kind === undefined || tasks[index]?.kind === kind)
  return {
    calls: chosen.reduce((sum, { effort }) => sum + effort.calls, 0),
    bytes: chosen.reduce((sum, { effort }) => sum + effort.bytes, 0),
  }
}

function printTable(own: Run, other: Run): void {
  const row = (name: string, mine: Effort, theirs: Effort): string =>
    `| ${name} | ${mine.calls} | ${theirs.calls} | ${mine.bytes} | ${theirs.bytes} | ${(mine.bytes / theirs.bytes).toFixed(2)} |`
  const kinds = [...new Set(tasks.map(({ kind }) => kind))]
  console.log('| Tasks | Calls | Public server | Bytes | Public server | Ratio |\n|---|---|---|---|---|---|')
  for (const kind of kinds) {
    const count = tasks.filter((task) => task.kind === kind).length
    console.log(row(`${kind} (${count})`, sumOf(own, kind), sumOf(other, kind)))
  }
  console.log(row(`all (${tasks.length})`, sumOf(own), sumOf(other)))
  console.log(`Descriptions of tools: ${own.descriptionBytes} bytes, public server ${other.descriptionBytes} bytes`)
}

/** Tasks whose results differ between the tool servers, so that their efforts cannot be compared. */
function differences(own: Run, other: Run): string[] {
  return tasks.flatMap(({ kind, name }, index) => {
    const [mine, theirs] = [own.results[index]?.said, other.results[index]?.said]
    return isDeepStrictEqual(mine, theirs)
      ? []
      : [`${kind}: ${name}: ${JSON.stringify(mine)}, public server ${JSON.stringify(theirs)}`]
  })
}

const { verbose = false } = parseCommandLine(import.meta.filename, { options: { verbose: { type: 'boolean' } } }).values
const installed = await install({ package: PUBLIC_SERVER, version: '2.5.2', beside: {} })
const own = await runTasks(ownTransport, ownWorker)
const other = await runTasks((service) => publicTransport(installed, service), publicWorker)
if (verbose)
  for (const [index, { kind, name }] of tasks.entries())
    console.log(kind, name, JSON.stringify(own.results[index]), JSON.stringify(other.results[index]))
printTable(own, other)
const different = differences(own, other)
for (const line of different) console.log(`different: ${line}`)
const [mine, theirs] = [sumOf(own), sumOf(other)]
const meetsGoals = mine.calls < theirs.calls && mine.bytes <= theirs.bytes / 2
console.log(
  meetsGoals ? 'Goals met: fewer calls, at most half of the bytes.' : 'GOALS MISSED: fewer calls, at most half of the bytes.',
)
process.exitCode = different.length === 0 && meetsGoals ? 0 : 1
