import { join, resolve } from 'node:path'
import { publishBrand } from '../brand/publish.ts'
import { bundleContract } from '../generate/contract.ts'
import { contractFiles } from '../generate/generate.ts'
import { writeFiles } from '../generate/write.ts'
import { renderSite } from './render.ts'
import { sourcesOfReleases } from './sources.ts'

export { faultsIn } from '../generate/faults.ts'

/**
 * Writes the reference of the contract in `spec` into a folder, or that of a brand with all that bears its name.
 * @param overlay the brand's file
 * @returns the number of pages
 * @throws what `faultsIn` tells
 */
export async function writeReference(spec: string, folder: string, overlay: string | undefined): Promise<number> {
  const contract = await bundleContract(join(spec, 'openapi.yaml'))
  const releases = await sourcesOfReleases(contract)
  if (overlay !== undefined) return (await publishBrand(releases, resolve(overlay), folder)).length
  const pages = await renderSite(releases, folder)
  await writeFiles(contractFiles('openapi', contract.document), folder)
  return pages.length
}
