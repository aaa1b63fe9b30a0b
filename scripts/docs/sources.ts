/** The sources of the site: the contract as of every release, and the guides. */

import { dirname, join } from 'node:path'
import { datedContractsOf, type Contract } from '../generate/contract.ts'
import { versionsPage } from '../generate/versions.ts'
import { readGuides } from './pages/guides.ts'
import type { Sources } from './pages/index.ts'

/** The sources of every release, newest first. */
export async function sourcesOfReleases(contract: Contract): Promise<[Sources, ...Sources[]]> {
  const newest = await sourcesOf(contract)
  const dated = await datedContractsOf(contract)
  const older = dated.filter(({ date }) => date !== newest.document.info.version)
  return [newest, ...older.map(({ document }) => ({ ...newest, document }))]
}

/** The sources of the newest release. */
export async function sourcesOf({ root, document, releases }: Contract): Promise<Sources> {
  return { document, changes: versionsPage(releases), guides: await readGuides(join(dirname(root), 'guides')) }
}
