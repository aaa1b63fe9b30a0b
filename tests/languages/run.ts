import { execFile } from 'node:child_process'
import { access, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { programsFolder, type Kit } from './kits.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/languages')
const CALLS = 5
const STEP_LIMIT_MS = 30 * 60_000

/** What came of one kit. */
export interface Outcome {
  readonly kit: Kit
  /** Commands that are not there. */
  readonly missing: readonly string[]
  readonly generated: boolean
  readonly compiled: boolean
  /** How many calls went well. */
  readonly passed: number
  /** What the step that failed printed at its end. */
  readonly fault?: string
}

/** Takes a kit through all its steps, up to the first that fails. */
export async function tryKit(kit: Kit, service: { readonly url: string; readonly token: string }): Promise<Outcome> {
  const missing = await missingCommands(kit.needs)
  const nothing = { kit, missing, generated: false, compiled: false, passed: 0 }
  if (missing.length > 0) return nothing
  const folder = await prepareFolder(kit)
  const settings = { SERVICE: service.url, TOKEN: service.token }
  let done: Outcome = nothing
  try {
    if (!(await exists(join(folder, 'installed')))) {
      await runAll(folder, kit.install)
      await writeFile(join(folder, 'installed'), '')
    }
    await runAll(folder, kit.generate)
    done = { ...done, generated: true }
    await runAll(folder, kit.compile)
    done = { ...done, compiled: true }
    return { ...done, passed: callsIn(await run(folder, kit.run, settings)) }
  } catch (error) {
    const output = outputOf(error)
    return { ...done, passed: callsIn(output), fault: output.trim().slice(-1000) }
  }
}

/** A row for each kit, and beneath it what stopped it. */
export function printTable(outcomes: readonly Outcome[]): void {
  const row = (...cells: string[]): void => console.log(cells.map((cell, at) => cell.padEnd(at === 0 ? 26 : 12)).join(''))
  row('kit', 'version', 'language', 'generated', 'compiled', 'calls')
  for (const { kit, missing, generated, compiled, passed, fault } of outcomes) {
    const said = (well: boolean): string => (missing.length > 0 ? '–' : well ? 'yes' : 'no')
    row(kit.name, kit.version, kit.language, said(generated), said(compiled), missing.length > 0 ? '–' : `${passed} of ${CALLS}`)
    if (missing.length > 0) console.log(`  Left out: it needs ${missing.join(' and ')}, which this machine does not have.`)
    if (fault !== undefined) console.log(fault.replaceAll(/^/gm, '  '))
  }
}

async function prepareFolder({ name, version, form, files }: Kit): Promise<string> {
  const folder = join(cache, `${name.replaceAll(/[^a-z0-9]+/g, '-')}-${version}`)
  await mkdir(folder, { recursive: true })
  await copyFile(join(root, 'generated', form), join(folder, form))
  for (const [file, source] of Object.entries(files)) {
    if ('text' in source) await writeFile(join(folder, file), source.text)
    else await copyFile(join(programsFolder, source.program), join(folder, file))
  }
  return folder
}

async function missingCommands(names: readonly string[]): Promise<readonly string[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = await Promise.all(
    names.map(async (name) => (await Promise.all(folders.map((folder) => exists(join(folder, name))))).includes(true)),
  )
  return names.filter((_name, at) => !found[at])
}

async function runAll(folder: string, commands: readonly string[]): Promise<void> {
  for (const command of commands) await run(folder, command, {})
}

/** What the command prints. @throws Error with what it printed when it fails */
async function run(folder: string, command: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, ...settings },
    timeout: STEP_LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

function callsIn(output: string): number {
  return output.match(/^ok /gm)?.length ?? 0
}

function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [stdout, stderr] = ['stdout', 'stderr'].map((stream) => String(Reflect.get(error, stream) ?? ''))
  return `${stdout}\n${stderr}` || error.message
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
