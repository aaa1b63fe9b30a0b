import { join, resolve } from 'node:path'
import { publishBrand } from '../brand/publish.ts'
import { readContract } from '../generate/contract.ts'
import { contractFiles } from '../generate/generate.ts'
import { writeFiles } from '../generate/write.ts'
import { renderSite } from './render.ts'
import { sourcesOfReleases } from './sources.ts'

export { faultsIn } from '../generate/faults.ts'

/**
 * Writes the reference of the contract in `spec` into a folder or, for a brand, everything that `publishBrand` writes.
 * @param overlay the file of the brand
 * @returns the number of pages
 * @throws errors to be reported by `faultsIn`
 */
export async function writeReference(spec: string, folder: string, overlay: string | undefined): Promise<number> {
  const contract = await readContract(join(spec, 'openapi.yaml'))
  const releases = await sourcesOfReleases(contract)
  if (overlay !== undefined) return (await publishBrand(releases, resolve(overlay), folder)).length
  const pages = await renderSite(releases, folder)
  await writeFiles(contractFiles('openapi', contract.document), folder)
  return pages.length
}
