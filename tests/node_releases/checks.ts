import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readingOperations } from '../../conformance/src/conform/requests.ts'
import type { CallParts } from '../harness/caller.ts'
import { exampleCall, servedWith, targetOf, versionOf, type KnownOperation } from '../harness/every_operation.ts'
import { parseObject } from '../harness/json.ts'
import { guideExample } from '../runners/guide_example.ts'
import { Command, run, type Ended } from './command.ts'
import { makeMissing, pathWith } from './missing_records.ts'
import type { Runtime } from './releases.ts'

const TOKEN = 'itk_of_the_node_releases_0001'
const SETTINGS = { PORT: '0', HOST: '127.0.0.1', BOOTSTRAP_TOKEN: TOKEN, RATE_LIMIT: 'off' }

/** The package as users install it. */
export interface Packed {
  /** A folder outside the tree, for temporary files. */
  readonly folder: string
  readonly tarball: string
  /** A project in which it is installed. */
  readonly project: string
}

/**
 * Checks the package on a release of Node.js.
 * @returns remarkable results
 * @throws Error on failure
 */
export async function checkRelease(runtime: Runtime, packed: Packed): Promise<string> {
  await checkDoctor(runtime, packed)
  await checkTestKit(runtime, packed)
  return checkService(runtime, packed)
}

/**
 * Checks that an outdated release is refused in one sentence.
 * @throws Error
 */
export async function checkRefusal(runtime: Runtime, { folder, tarball }: Packed): Promise<string> {
  const { code, errors } = await npx(runtime, await empty(folder), tarball, ['serve']).ended
  const said = errors.split('\n').filter((line) => line !== '' && !line.startsWith('npm '))
  if (code !== 1 || said.length !== 1 || !said[0]?.startsWith('error: workspace-service needs Node.js'))
    throw new Error(`the service ended with ${code} and said:\n${errors}`)
  return `refused: ${said[0]}`
}

/** Checks the runtime that the program itself reports. */
async function checkDoctor(runtime: Runtime, { folder, tarball }: Packed): Promise<void> {
  const { code, output, errors } = await npx(runtime, await empty(folder), tarball, ['doctor']).ended
  if (code !== 0 || !output.includes(`Node.js ${runtime.version}`))
    throw new Error(`doctor ended with ${code}:\n${output}${errors}`)
}

/** Runs the guide's example, which loads the test kit as a module; then also with `require`. */
async function checkTestKit(runtime: Runtime, { project }: Packed): Promise<void> {
  await writeFile(join(project, 'tide.test.ts'), await guideExample('With the test runner of Node.js'))
  const output = await run(runtime, project, ['node', '--test', '--test-reporter=tap', 'tide.test.ts'])
  if (!/^# pass [1-9]/m.test(output)) throw new Error(`the example of the guide passed no test:\n${output}`)
  const program = `require('workspace-service/testing').createTestServer({ port: 'none' }).then((server) => server.close())`
  await run(runtime, project, ['node', '-e', program])
}

/** Starts the service in an empty folder with `npx`, calls the reading operations, and ends it; then again by its own command. */
async function checkService(runtime: Runtime, { folder, tarball, project }: Packed): Promise<string> {
  const service = npx(runtime, await empty(folder), tarball, ['serve'], SETTINGS)
  // npm's exit code depends on the shell in between, so only the service's own output shows success.
  const { report } = await useService(service, readEverything)
  const words = [join(project, 'node_modules/.bin/workspace-service'), 'serve']
  const alone = await useService(new Command(runtime, await empty(folder), words, SETTINGS), () => Promise.resolve(''))
  if (alone.code !== 0) throw new Error(`the service ended with ${alone.code} after SIGTERM:\n${alone.output}${alone.errors}`)
  return report
}

/**
 * Uses a service, and ends it with SIGTERM.
 * @throws Error unless it reports that it has stopped, and frees its port
 */
async function useService(service: Command, use: (url: string) => Promise<string>): Promise<Ended & { readonly report: string }> {
  try {
    const url = await service.find(/listens on (http\S+)/)
    const report = await use(url)
    service.terminate()
    const ended = await service.ended
    if (!ended.output.includes('"stopped"')) throw new Error(`the service did not stop in order:\n${ended.output}${ended.errors}`)
    if (!(await isFree(Number(new URL(url).port)))) throw new Error('the service ended, but something still listens on its port')
    return { ...ended, report }
  } finally {
    service.terminate()
    await service.ended
  }
}

/**
 * Calls each reading operation with the contract's examples, after creating the records that these name.
 * @throws Error unless all return 200
 */
async function readEverything(url: string): Promise<string> {
  const reading = new Set(readingOperations.map(({ id }) => id))
  const operations = servedWith('bearer', 'connection').filter(({ id }) => reading.has(id))
  const made = await makeMissing(async (operation, request) => {
    const { status, text } = await send(url, operation, request)
    if (status >= 300) throw new Error(`${operation.id} returns ${status}: ${text}`)
    return parseObject(text)
  })
  const responses = await Promise.all(
    operations.map(async (operation) => {
      const { path, query = {}, body } = exampleCall(operation)
      return { id: operation.id, ...(await send(url, operation, { path: pathWith(made, path), query, body })) }
    }),
  )
  const failed = responses.filter(({ status }) => status !== 200)
  if (failed.length > 0) throw new Error(failed.map(({ id, status, text }) => `${id} returns ${status}: ${text}`).join('\n'))
  return `all ${responses.length} reading operations return 200`
}

interface CallRequest {
  readonly path: Readonly<Record<string, string>>
  readonly query?: CallParts['query']
  readonly body: unknown
}

async function send(
  url: string,
  operation: KnownOperation,
  { path, query = {}, body }: CallRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const words = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${url}${targetOf(operation, path)}?${words.toString()}`, {
    method: operation.method.toUpperCase(),
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', 'Service-Version': versionOf(operation) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** `npx` with the tarball, as for a package that is not installed yet. */
function npx(
  runtime: Runtime,
  cwd: string,
  tarball: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Command {
  const command = ['npx', '--yes', '--offline', '--package', tarball, '--', 'workspace-service', ...words]
  return new Command(runtime, cwd, command, { ...settings, npm_config_cache: join(tarball, '../cache') })
}

function empty(folder: string): Promise<string> {
  return mkdtemp(join(folder, 'empty-'))
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
