/** What the site is made from, as it lies on the disk. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Document } from '../generate/document.ts'
import { readGuides } from './pages/guides.ts'
import type { Sources } from './pages/index.ts'

export async function readSources(projectRoot: string): Promise<Sources> {
  const [document, changes, guides] = await Promise.all([
    readFile(join(projectRoot, 'generated/openapi.json'), 'utf8').then((text) => JSON.parse(text) as Document),
    readFile(join(projectRoot, 'generated/versions.md'), 'utf8'),
    readGuides(join(projectRoot, 'spec/guides')),
  ])
  return { document, changes, guides }
}
