import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConnectionError, type WorkspaceClient } from '../../../client/src/index.ts'
import { clone } from '../../../cloning/src/clone.ts'
import { CloneTarget } from '../../../cloning/src/clone_target.ts'
import { beginClone } from '../../../cloning/src/begin_clone.ts'
import { ProgressFile, type Omission } from '../../../cloning/src/progress_file.ts'
import { makeDatabase } from '../../harness/databases.ts'
import { contentOf, type WorkspaceContent } from './content_of.ts'

export interface Cloned {
  readonly content: WorkspaceContent
  readonly leftOut: readonly Omission[]
  /** The number of runs until completion. */
  readonly runs: number
}

/** No clone in the tests is interrupted more often. */
const RUNS_MAX = 100

/** Clones a server, each time into an empty database. */
export class Clones {
  /** For files and progress. */
  readonly folder = mkdtempSync(join(tmpdir(), 'clone-'))
  readonly #address: string

  /** @param address the server whose files may be fetched although its address is not public */
  constructor(address: string) {
    this.#address = address
  }

  /** Makes a clone, restarting whenever the connection is lost. */
  async make(name: string, client: () => WorkspaceClient): Promise<Cloned> {
    const database = await makeDatabase()
    const settings = { DATABASE_URL: database.url, FILES_URL: `file:${join(this.folder, `${name}-files`)}` }
    try {
      for (let runs = 1; runs <= RUNS_MAX; runs += 1) {
        const made = await this.#attempt(name, client(), settings)
        if (made) return { ...made, runs }
      }
      throw new Error(`The clone was not complete after ${RUNS_MAX} runs.`)
    } finally {
      await database.drop()
    }
  }

  /** @returns undefined if the connection was lost */
  async #attempt(
    name: string,
    source: WorkspaceClient,
    settings: Readonly<Record<string, string>>,
  ): Promise<Omit<Cloned, 'runs'> | undefined> {
    const progress = new ProgressFile(join(this.folder, name))
    const target = await CloneTarget.open(settings)
    try {
      const head = await beginClone({ target, progress }, this.#address, async () => ({ name, owner: undefined }))
      await clone({ source, target, progress }, head, { listed: () => undefined, at: () => undefined })
      return { content: await contentOf((id, sending) => target.send(id, sending)), leftOut: progress.leftOut }
    } catch (error) {
      if (error instanceof ConnectionError) return undefined
      throw error
    } finally {
      await target.close()
      progress.close()
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** The losses of a clone, without ids, in alphabetical order. */
export function reasons({ leftOut }: Cloned): string[] {
  return leftOut.map(({ what, reason }) => `${what}: ${reason}`).toSorted()
}
