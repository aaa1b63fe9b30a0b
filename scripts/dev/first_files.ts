/** The files of `generated/` that are written first, and what they were before, until the others fit them. */

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFiles } from '../generate/generate.ts'
import { writeFiles } from '../generate/write.ts'

export class FirstFiles {
  readonly #folder: string
  /** What each was when all files had last been written; undefined if it was not there. Absent while all fit together. */
  #before: ReadonlyMap<string, string | undefined> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @returns how many have changed */
  async write(files: GeneratedFiles): Promise<number> {
    this.#before ??= new Map(
      await Promise.all(
        Object.keys(files).map(
          async (name) => [name, await readFile(join(this.#folder, name), 'utf8').catch(() => undefined)] as const,
        ),
      ),
    )
    return (await writeFiles(files, this.#folder)).length
  }

  /** To be called when the others have been written, too. */
  keep(): void {
    this.#before = undefined
  }

  /** Makes the files what they were when all had last been written. */
  async putBack(): Promise<void> {
    const before = [...(this.#before ?? [])]
    this.#before = undefined
    await writeFiles(
      Object.fromEntries(before.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))),
      this.#folder,
    )
    await Promise.all(before.map(([name, text]) => text === undefined && rm(join(this.#folder, name), { force: true })))
  }
}
