/** Makes the files of a folder: all of them, or none. */

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { bundleContract } from './contract.ts'
import { generate, type GeneratedFiles } from './generate.ts'

/**
 * Generates everything from the contract whose root file is `root`, into the folder.
 * @param report hears what has been done
 * @returns how many files there are, and the names of those that have changed
 * @throws ContractFaults with every fault of the contract; nothing has been written then
 */
export async function generateInto(
  folder: string,
  root: string,
  report: (step: string) => void = () => {},
): Promise<{ count: number; written: string[] }> {
  const contract = await bundleContract(root)
  report('bundle')
  const files = await generate(contract, report)
  return { count: Object.keys(files).length, written: await writeFiles(files, folder) }
}

/**
 * Writes the files that differ from what the folder holds. Each is written beside its place first, so that nothing has changed when
 * one of them cannot be, and nobody reads half of one.
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
