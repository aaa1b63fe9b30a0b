/** Makes the files of a folder: all of them, or none. */

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
  /** What is written: all, what the service and the mock need to start, or what is not committed. The rest stays as it is. */
  readonly part?: 'all' | 'for programs' | 'uncommitted'
  /** Whether the contracts by date are made in a thread, which is slower for a small contract. */
  readonly usesThread?: boolean
  /** Called with what has been done. */
  readonly report?: ((step: string) => void) | undefined
}

/**
 * Generates everything from the contract whose root file is `root`, into the folder.
 * @throws ContractFaults with every fault of the contract; nothing has been written then
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

/** What has been done to a folder. */
interface WrittenFolder {
  /** how many files it has now */
  readonly count: number
  /** names of files that are new or have changed */
  readonly written: readonly string[]
  /** names of files that an earlier run had made, and this one has not */
  readonly removed: readonly string[]
}

/** Lists what was generated: a file of an earlier list that a later one lacks is removed. */
const LIST = 'files.txt'

/** Generated files and their list. */
export function withList(files: GeneratedFiles): GeneratedFiles {
  const names = [...Object.keys(files), LIST].toSorted()
  return { ...files, [LIST]: `${names.join('\n')}\n` }
}

/** Writes the files and their list, as `writeFiles`, and removes those that only the list before has, and folders that are empty then. */
export async function writeGenerated(files: GeneratedFiles, folder: string): Promise<WrittenFolder> {
  const before = await readFile(join(folder, LIST), 'utf8').catch(() => '')
  const listed = withList(files)
  const written = await writeFiles(listed, folder)
  const removed = before.split('\n').filter((name) => isFileBelow(name) && !Object.hasOwn(listed, name))
  for (const name of removed) await removeFile(folder, name)
  return { count: Object.keys(listed).length, written, removed }
}

/** Whether a line of a list is the name of a file below its folder: who knows who has edited it. */
function isFileBelow(name: string): boolean {
  return name !== '' && name === posix.normalize(name) && !/^(?:\/|\.\.(?:\/|$)|\.$)/.test(name)
}

async function removeFile(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true })
  try {
    for (let above = dirname(name); above !== '.'; above = dirname(above)) await rmdir(join(folder, above))
  } catch {} // others are in it
}

/**
 * Writes the files that differ from what the folder holds. Each is written beside its place first, so that nothing has changed when
 * one of them cannot be written, and nobody reads half a file.
 * @returns names of the files that were written
 */
export async function writeFiles(files: GeneratedFiles, folder: string): Promise<string[]> {
  const changed: [name: string, text: string][] = []
  for (const [name, text] of Object.entries(files))
    if ((await readFile(join(folder, name), 'utf8').catch(() => undefined)) !== text) changed.push([name, text])
  await mkdir(folder, { recursive: true })
  const staged = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    for (const [name, text] of changed) {
      for (const place of [staged, folder]) await mkdir(dirname(join(place, name)), { recursive: true })
      await writeFile(join(staged, name), text)
    }
    for (const [name] of changed) await rename(join(staged, name), join(folder, name))
  } finally {
    await rm(staged, { recursive: true })
  }
  return changed.map(([name]) => name)
}
