/** What the site is made from, as it lies on the disk. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseDates } from '../../server/versions/index.ts'
import { loadContract } from '../generate/releases/load.ts'
import type { Document } from '../generate/document.ts'
import { readGuides } from './pages/guides.ts'
import type { Sources } from './pages/index.ts'

/** The sources of every release, newest first. */
export async function readSources(projectRoot: string): Promise<[Sources, ...Sources[]]> {
  const [document, changes, guides] = await Promise.all([
    readFile(join(projectRoot, 'generated/openapi.json'), 'utf8').then((text) => JSON.parse(text) as Document),
    readFile(join(projectRoot, 'generated/versions.md'), 'utf8'),
    readGuides(join(projectRoot, 'spec/guides')),
  ])
  const older = releaseDates
    .filter((date) => date !== document.info.version)
    .toSorted()
    .toReversed()
  const contracts = await Promise.all(older.map(loadContract))
  return [{ document, changes, guides }, ...contracts.map((contract) => ({ document: contract, changes, guides }))]
}
