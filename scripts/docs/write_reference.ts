import { join, resolve } from 'node:path'
import { publishBrand } from '../brand/publish.ts'
import { bundleContract } from '../generate/contract.ts'
import { ContractFaults } from '../generate/faults.ts'
import { contractFiles } from '../generate/generate.ts'
import { writeFiles } from '../generate/write.ts'
import { ownLook } from './look.ts'
import { renderSite } from './render.ts'
import { sourcesOfReleases } from './sources.ts'

interface Publishing {
  readonly overlay: string | undefined
  readonly baseUrl: string | undefined
}

export { faultsIn } from '../generate/faults.ts'

/**
 * Writes the reference of the contract in `spec` into a folder or, for a brand, all output of `publishBrand`.
 * @param publishing the file of the brand, and the address of the site unless a service serves it
 * @returns the number of pages
 * @throws errors to be reported by `faultsIn`
 */
export async function writeReference(spec: string, folder: string, { overlay, baseUrl }: Publishing): Promise<number> {
  const siteAddress = baseUrl === undefined ? undefined : addressOfSite(baseUrl)
  const contract = await bundleContract(join(spec, 'openapi.yaml'))
  const releases = await sourcesOfReleases(contract)
  if (overlay !== undefined) return (await publishBrand(releases, resolve(overlay), folder, { siteAddress })).length
  const pages = await renderSite(releases, folder, { ...ownLook, siteAddress })
  await writeFiles(contractFiles('openapi', contract.document), folder)
  return pages.length
}

/**
 * Adds one trailing slash.
 * @throws ContractFaults unless the text is the address of a site
 */
function addressOfSite(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ContractFaults([
      `--base-url should be an absolute http or https address without query or fragment, instead was ${text}.`,
    ])
  return `${url.href.replace(/\/+$/, '')}/`
}
