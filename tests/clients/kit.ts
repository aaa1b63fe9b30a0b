import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { parseObject, type Json } from '../harness/json.ts'
import type { PublicClient } from './client.ts'
import { cache } from './install.ts'
import { NotRun } from './not_run.ts'
import { readOutput } from './output.ts'
import { HANDBOOK } from './programs/program.ts'
import { prepare } from './programs/prepare.ts'
import type { Run } from './run.ts'
import type { ServiceProcess } from './service.ts'

const INSTALL_LIMIT_MS = 15 * 60_000
const RUN_LIMIT_MS = 8 * 60_000

/** How to install and use a client of another language: `kit.json` beside its program. */
interface Kit {
  /** Commands that the machine must have. */
  readonly needs: readonly string[]
  /** Shell commands that install the client from its registry. `$PACKAGE` and `$VERSION` come from `clients.json`. */
  readonly install: readonly string[]
  /** Shell commands that use the client. `$SERVICE`, `$TOKEN` and `$PAGE_ID` identify the service and a page. */
  readonly run: readonly string[]
}

/** Runs a client of another language, in a folder of its own. @throws NotRun if its toolchain or its package is missing */
export async function runKit(client: PublicClient, service: ServiceProcess, run: Run): Promise<void> {
  const source = join(import.meta.dirname, 'programs', client.program)
  const kit = parseKit(await readFile(join(source, 'kit.json'), 'utf8'))
  const missing = kit.needs.filter((name) => !isOnPath(name))
  if (missing.length > 0) throw new NotRun(`this machine has no ${missing.join(' and no ')}`)
  const folder = join(cache, [client.program, client.version].join('_').replaceAll('/', '-'))
  await mkdir(folder, { recursive: true })
  for (const files of [join(source, '../shared'), source]) if (existsSync(files)) await cp(files, folder, { recursive: true })
  await install(client, kit, folder)
  const settings = { SERVICE: service.url, TOKEN: service.token, PAGE_ID: HANDBOOK, ...(await prepare(client.program, service)) }
  for (const command of kit.run) {
    const { failed, output } = await shell(folder, command, { ...packageSettings(client), ...settings }, RUN_LIMIT_MS)
    const tried = readOutput(output)
    run.tried.push(...tried)
    const isSilent = failed && tried.every(({ fault }) => fault === undefined)
    if (isSilent) run.tried.push({ name: command.slice(0, 60), fault: lastLines(output) })
  }
}

async function install(client: PublicClient, kit: Kit, folder: string): Promise<void> {
  const recipe = JSON.stringify([client.package, client.version, kit.install])
  const marker = join(folder, 'installed')
  if (existsSync(marker) && (await readFile(marker, 'utf8')) === recipe) return
  for (const command of kit.install) {
    const { failed, output } = await shell(folder, command, packageSettings(client), INSTALL_LIMIT_MS)
    if (!failed) continue
    console.error(output.slice(-2000))
    throw new NotRun(`its registry gave no ${client.package} ${client.version}, or it could not be built here`)
  }
  await writeFile(marker, recipe)
}

function packageSettings({ package: name, version }: PublicClient): Record<string, string> {
  return { PACKAGE: name, VERSION: version }
}

async function shell(
  cwd: string,
  command: string,
  settings: Readonly<Record<string, string>>,
  timeout: number,
): Promise<{ failed: boolean; output: string }> {
  const env = { ...process.env, ...settings }
  const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const
  try {
    return { failed: false, output: (await promisify(execFile)('sh', ['-c', `{ ${command}\n} 2>&1`], options)).stdout }
  } catch (error) {
    const printed: unknown = error instanceof Error ? Reflect.get(error, 'stdout') : undefined
    return { failed: true, output: typeof printed === 'string' && printed !== '' ? printed : String(error) }
  }
}

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}

function parseKit(text: string): Kit {
  const body = parseObject(text)
  return { needs: textsOf(body['needs']), install: textsOf(body['install']), run: textsOf(body['run']) }
}

function textsOf(value: Json | undefined): string[] {
  if (!Array.isArray(value)) throw new Error('kit.json: expected needs, install and run, each a list of texts')
  return value.map(String)
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' ').slice(-300)
}
