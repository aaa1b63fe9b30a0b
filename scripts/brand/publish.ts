/** Publishes everything that is generated from the contract with the names of a brand. */

import { brunoCollection } from '../generate/collections/bruno.ts'
import { postmanCollection } from '../generate/collections/postman.ts'
import { contractFiles, sdkFiles, type GeneratedFiles } from '../generate/generate.ts'
import { writeFiles } from '../generate/write.ts'
import { guidesOf, replacing } from '../docs/pages/guides.ts'
import type { Sources } from '../docs/pages/index.ts'
import type { SiteFile } from '../docs/releases.ts'
import { renderSite } from '../docs/render.ts'
import { Brand, type BrandedContract } from './brand.ts'
import { clientFiles } from './client.ts'

/**
 * Writes the site of a brand into a folder, with the contract in all its forms and as of each release date, the collections, and the
 * client.
 * @param releases the sources of the project's own site, newest first
 * @param overlay the file of the brand
 * @param options the address of the site, unless a service serves it, and `isRendered`, see `renderSite`
 * @throws ContractFaults with the locations of all faults of the overlay, before anything is written
 */
export async function publishBrand(
  releases: readonly [Sources, ...Sources[]],
  overlay: string,
  folder: string,
  { siteAddress, isRendered }: { siteAddress?: string | undefined; isRendered?: (file: SiteFile) => boolean } = {},
): Promise<readonly SiteFile[]> {
  const brand = await Brand.read(overlay)
  const [newest, ...older] = releases
  const branded = await brand.apply([newest.document, ...older.map(({ document }) => document)])
  const sources = sourcesOf(newest, brand, branded)
  const look = { ...brand.look, text: branded.words.text, address: branded.address, siteAddress }
  const files = await renderSite(sources, folder, look, isRendered)
  await writeFiles({ ...forms(branded), ...collections(branded), ...(await client(branded)) }, folder)
  return files
}

function sourcesOf(
  { guides: written, changes }: Sources,
  brand: Brand,
  { document: newest, releases: [, ...older] }: BrandedContract,
): [Sources, ...Sources[]] {
  const guides = replacing(written, brand.guides)
  brand.refuseUnknownGuides(guidesOf(newest, guides).map(({ slug }) => slug))
  const common = { guides, changes, withoutGuides: brand.settings.guides?.without ?? [] }
  return [{ ...common, document: newest }, ...older.map((document) => ({ ...common, document }))]
}

function forms({ document, releases, words }: BrandedContract): GeneratedFiles {
  const pieces = new Map<string, string>()
  const dated = releases.map((one) => Object.entries(contractFiles(`versions/${one.info.version}`, one, undefined, pieces)))
  return {
    ...contractFiles('openapi', document, undefined, pieces),
    ...sdkFiles(document, words.schemaName('ErrorObject'), pieces),
    ...Object.fromEntries(dated.flat()),
  }
}

function collections({ document, words, address }: BrandedContract): GeneratedFiles {
  const bruno = Object.entries(brunoCollection(document, address)).map(([file, text]) => [
    `collections/bruno/${file}`,
    words.text(text),
  ])
  const postman = `${JSON.stringify(words.document(postmanCollection(document, address)), null, 1)}\n`
  return { 'collections/postman.json': postman, ...Object.fromEntries(bruno) }
}

async function client(branded: BrandedContract): Promise<GeneratedFiles> {
  const files = Object.entries(await clientFiles(branded))
  return Object.fromEntries(files.map(([file, text]) => [`client/${file}`, text]))
}
