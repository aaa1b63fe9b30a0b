/** The sources of the site, read from `generated/`. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from '../../../scripts/generate/document.ts'
import { loadContract } from '../../../scripts/generate/releases/load.ts'
import { readGuides } from '../../../scripts/docs/pages/guides.ts'
import type { Sources } from '../../../scripts/docs/pages/index.ts'
import { releaseDates } from '../../../server/versions/index.ts'
import { projectRoot } from '../../spec/support/files.ts'

/**
 * The sources of every release, newest first.
 * @param isRead selects the older releases
 */
export async function readSources(isRead: (date: string) => boolean = () => true): Promise<[Sources, ...Sources[]]> {
  const [document, changes, guides] = await Promise.all([
    readFile(join(projectRoot, 'generated/openapi.json'), 'utf8').then((text) => JSON.parse(text) as Document),
    readFile(join(projectRoot, 'generated/versions.md'), 'utf8'),
    readGuides(join(projectRoot, 'spec/guides')),
  ])
  const older = releaseDates
    .filter((date) => date !== document.info.version && isRead(date))
    .toSorted()
    .toReversed()
  const contracts = await Promise.all(older.map(loadContract))
  return [{ document, changes, guides }, ...contracts.map((contract) => ({ document: contract, changes, guides }))]
}
