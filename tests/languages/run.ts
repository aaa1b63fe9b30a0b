import { execFile } from 'node:child_process'
import { access, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Kit } from './kit.ts'
import { programsFolder } from './kits.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, 'node_modules/.cache/languages')
const CALLS = 5
const COLUMNS = [28, 10, 12, 11, 10, 12, 7]
const STEP_LIMIT_MS = 30 * 60_000

/** The result of one kit. */
export interface Outcome {
  readonly kit: Kit
  /** Missing commands. */
  readonly missing: readonly string[]
  readonly generated: boolean
  readonly compiled: boolean
  /** Number of successful calls. */
  readonly passed: number
  readonly seconds: number
  /** The end of the failed step's output. */
  readonly fault?: string
}

/** Runs the steps of a kit up to the first failure. */
export async function tryKit(kit: Kit, service: { readonly url: string; readonly token: string }): Promise<Outcome> {
  const missing = await missingCommands(kit.needs)
  const nothing = { kit, missing, generated: false, compiled: false, passed: 0, seconds: 0 }
  if (missing.length > 0) return nothing
  const start = performance.now()
  const outcome = await tryFound(nothing, service)
  return { ...outcome, seconds: Math.round((performance.now() - start) / 1000) }
}

async function tryFound(nothing: Outcome, service: { readonly url: string; readonly token: string }): Promise<Outcome> {
  const { kit } = nothing
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

/** Whether all steps and calls succeeded. */
export function isPassed({ missing, passed, fault }: Outcome): boolean {
  return missing.length === 0 && passed === CALLS && fault === undefined
}

/** Prints the result of a kit in a sentence, with the failure. */
export function printOutcome(outcome: Outcome): void {
  const { kit, missing, fault, seconds } = outcome
  const title = `${kit.language} by ${kit.name}`
  if (missing.length > 0) console.log(`${title} is missing: it needs ${missing.join(' and ')}, which this machine does not have.`)
  else if (isPassed(outcome)) console.log(`${title} passed after ${seconds} s.`)
  else console.log(`${title} failed after ${seconds} s:\n${(fault ?? 'Not all calls were made.').replaceAll(/^/gm, '  ')}`)
}

/** Prints a row for each kit, and the number of passed ones. */
export function printTable(outcomes: readonly Outcome[]): void {
  printRow(['kit', 'version', 'language', 'generated', 'compiled', 'five calls', 'seconds'])
  for (const { kit, missing, generated, compiled, passed, seconds } of outcomes) {
    const yesOrNo = (well: boolean): string => (well ? 'yes' : 'no')
    const steps = [yesOrNo(generated), yesOrNo(compiled), `${passed} of ${CALLS}`, String(seconds)]
    printRow([kit.name, kit.version, kit.language, ...(missing.length > 0 ? ['missing', '–', '–', '–'] : steps)])
  }
  const passed = outcomes.filter(isPassed).length
  const missing = outcomes.filter((outcome) => outcome.missing.length > 0).length
  console.log(`${passed} passed, ${outcomes.length - passed - missing} failed, ${missing} missing`)
}

function printRow(cells: readonly string[]): void {
  console.log(
    cells
      .map((cell, at) => cell.padEnd(COLUMNS[at] ?? 0))
      .join('')
      .trimEnd(),
  )
}

async function prepareFolder({ name, version, language, form, files }: Kit): Promise<string> {
  const folder = join(cache, [name, version, language].join('-').replaceAll(/[^a-zA-Z0-9.]+/g, '-'))
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

/**
 * Runs a command.
 * @returns its output
 * @throws Error with the output if it fails
 */
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
