/** Makes the files of a folder: all of them, or none. */

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { faultsOfLint } from '../lint/lint.ts'
import { isCertain, readWithFaults } from './contract.ts'
import { CollectedFaults, ContractFaults, fileOf } from './faults.ts'
import { generate, type GeneratedFiles } from './generate.ts'

interface Options {
  /** Whether violations of lint rules are faults, too. */
  readonly isLinted: boolean
  /** Called with what has been done. */
  report?(step: string): void
}

/**
 * Generates everything from the contract whose root file is `root`, into the folder.
 * @returns how many files there are, and the names of those that have changed
 * @throws ContractFaults with every fault of the contract; nothing has been written then
 */
export async function generateInto(
  folder: string,
  root: string,
  { isLinted, report = () => {} }: Options,
): Promise<{ count: number; written: string[] }> {
  const reading = await readWithFaults(root)
  report('bundle')
  const faults = new CollectedFaults()
  const files = reading.contract && (await faults.result(generate(reading.contract, report)))
  if (isLinted) {
    faults.add(...(await faultsOfLint(reading)))
    report('lint')
  }
  const known = [...reading.faults, ...faults.all.filter((fault) => isCertain(reading, fileOf(fault)))]
  if (files === undefined || known.length > 0) throw new ContractFaults(known)
  return { count: Object.keys(files).length, written: await writeFiles(files, folder) }
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
