/** Writes the files of a folder: either all of them, or none. */

import { mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { faultsOfLintInThread } from '../lint/lint_thread.ts'
import { isCertain, readWithFaults } from './contract.ts'
import { CollectedFaults, ContractFaults, fileOf } from './faults.ts'
import { generate, type GeneratedFiles } from './generate.ts'
import { isCommitted } from './uncommitted.ts'

interface Options {
  /** Whether violations of lint rules are faults, too. */
  readonly isLinted: boolean
  /**
   * The part to write: everything, the files that the service and the mock need to start, or the files that are not committed. Other files
   * stay.
   */
  readonly part?: 'all' | 'for programs' | 'uncommitted'
  /** Whether to generate the dated contracts in a thread, which is slower for a small contract. */
  readonly usesThread?: boolean
  /** Called after each step with its description. */
  readonly report?: ((step: string) => void) | undefined
}

/**
 * Generates everything from the contract whose root file is `root` into the folder.
 * @throws ContractFaults with every fault of the contract; then no file is written
 */
export async function generateInto(
  folder: string,
  root: string,
  { isLinted, part = 'all', usesThread = false, report = () => {} }: Options,
): Promise<WrittenFolder> {
  const faults = new CollectedFaults()
  const linting = faults.result(isLinted ? faultsOfLintInThread(root) : Promise.resolve([]))
  const reading = await readWithFaults(root)
  report('bundle')
  const options = { report, isForPrograms: part === 'for programs', usesThread }
  const files = reading.contract && (await faults.result(generate(reading.contract, options)))
  faults.add(...((await linting) ?? []))
  if (isLinted) report('lint')
  const known = [...reading.faults, ...faults.all.filter((fault) => isCertain(reading, fileOf(fault)))]
  if (files === undefined || known.length > 0) throw new ContractFaults(known)
  if (part === 'all') return writeGenerated(files, folder)
  const wanted = Object.entries(files).filter(([name]) => part === 'for programs' || !isCommitted(name))
  return { count: wanted.length, written: await writeFiles(Object.fromEntries(wanted), folder), removed: [] }
}

interface WrittenFolder {
  /** number of files in it now */
  readonly count: number
  /** names of new and changed files */
  readonly written: readonly string[]
  /** names of files of an earlier run that were removed */
  readonly removed: readonly string[]
}

/** Lists the generated files: a file of an earlier list that a later one lacks is removed. */
const LIST = 'files.txt'

export function withList(files: GeneratedFiles): GeneratedFiles {
  const names = [...Object.keys(files), LIST].toSorted()
  return { ...files, [LIST]: `${names.join('\n')}\n` }
}

/** Writes the files and their list, as `writeFiles`. Removes files that only the previous list has, and folders that become empty. */
export async function writeGenerated(files: GeneratedFiles, folder: string): Promise<WrittenFolder> {
  const before = await readFile(join(folder, LIST), 'utf8').catch(() => '')
  const listed = withList(files)
  const written = await writeFiles(listed, folder)
  const removed = before.split('\n').filter((name) => isFileBelow(name) && !Object.hasOwn(listed, name))
  for (const name of removed) await removeFile(folder, name)
  return { count: Object.keys(listed).length, written, removed }
}

/** Whether a line of a list is the name of a file below its folder, since anybody may have edited the list. */
function isFileBelow(name: string): boolean {
  return name !== '' && name === posix.normalize(name) && !/^(?:\/|\.\.(?:\/|$)|\.$)/.test(name)
}

async function removeFile(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true })
  try {
    for (let above = dirname(name); above !== '.'; above = dirname(above)) await rmdir(join(folder, above))
  } catch {} // not empty
}

/**
 * Writes the files that differ from those in the folder. Each is first written to a temporary file, so that a failure changes no file, and
 * readers never see an incomplete one.
 * @returns names of the written files
 */
export async function writeFiles(files: GeneratedFiles, folder: string): Promise<string[]> {
  const changed: [name: string, text: string][] = []
  for (const [name, text] of Object.entries(files))
    if ((await readFile(join(folder, name), 'utf8').catch(() => undefined)) !== text) changed.push([name, text])
  await mkdir(folder, { recursive: true })
  const staged = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    for (const [name, text] of changed) {
      for (const location of [staged, folder]) await mkdir(dirname(join(location, name)), { recursive: true })
      await writeFile(join(staged, name), text)
    }
    for (const [name] of changed) await rename(join(staged, name), join(folder, name))
  } finally {
    await rm(staged, { recursive: true })
  }
  return changed.map(([name]) => name)
}
