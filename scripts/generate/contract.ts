/** The contract as it is on disk now: the bundle from which everything else is generated. */

import { dirname, join } from 'node:path'
import { checkResponseHeaders, type ResponseHeader } from './response_headers.ts'
import { bundleWithFaults } from './bundle.ts'
import { isReference, type Document } from './document.ts'
import { emptyListings, expansionFaults } from './families.js'
import { CollectedFaults, ContractFaults } from './faults.ts'
import { ContractFiles } from './files.ts'
import { removeBrokenReferences } from './remove_broken_references.ts'
import { operationRows } from './operations.ts'
import { faultAt, withSources } from './fault_locations.ts'
import { publicDocumentWithFaults } from './public.ts'
import { datedContracts, type ContractOfRelease } from './releases/contracts.ts'
import { withOlderExamples } from './releases/examples.ts'
import { JudgedExamples } from './releases/requests.ts'
import { SourceMap } from './source_map.ts'
import { checkReleases, readReleases, type ReleaseSpec } from './versions.ts'

export interface Contract {
  /** absolute path of the root file */
  readonly root: string
  readonly files: ContractFiles
  /** the public document */
  readonly document: Document
  /** oldest first */
  readonly releases: readonly ReleaseSpec[]
  /** Whether every reference can be resolved. */
  readonly isWhole: boolean
}

/** A contract as far as it could be read, and its faults so far. */
export interface ContractReading {
  readonly root: string
  readonly files: ContractFiles
  /**
   * Absent if the root file is not an OpenAPI document, or refers to entire sets of components that are missing. If references are broken,
   * it lacks the parts that contain them.
   */
  readonly contract?: Contract
  readonly faults: readonly string[]
  /** Files that lead to broken references: findings there may be consequences. */
  readonly uncertain: ReadonlySet<string>
}

/** Whether a finding in a file can be reported. @param file undefined if its file is unknown */
export function isCertain({ uncertain }: ContractReading, file: string | undefined): boolean {
  return uncertain.size === 0 || (file !== undefined && !uncertain.has(file))
}

/**
 * Reads as much as possible of the contract whose root file is `root` (absolute path).
 * @param files cache of files already read
 */
export async function readWithFaults(root: string, files = new ContractFiles()): Promise<ContractReading> {
  const faults = new CollectedFaults()
  const [bundled, releases = []] = await Promise.all([
    bundleWithFaults(root, files),
    faults.result(readReleases(join(dirname(root), 'versions'))),
  ])
  const placed = async (): Promise<readonly string[]> =>
    (await withSources(new ContractFaults([...bundled.faults, ...faults.all]), root, files)).faults
  if (bundled.bundle === undefined || Object.values(bundled.bundle.document.components).some(isReference))
    return { root, files, faults: await placed(), uncertain: new Set() }

  const { document: whole, responseHeaders } = bundled.bundle
  const broken = bundled.faults.length === 0 ? [] : removeBrokenReferences(whole)
  const document = publicDocumentWithFaults({ document: whole, responseHeaders: existing(responseHeaders, whole) }, faults)
  faults.add(...(await incompleteParts(document, files)))
  const hasAllPaths = !broken.some(([section]) => section === 'paths')
  if (hasAllPaths) {
    faults.attempt(() => checkResponseHeaders(responseHeaders, document))
    faults.attempt(() => checkReleases(releases, document, operationRows(document)))
  }
  const sources = new SourceMap(root, files)
  const uncertain = new Set(await Promise.all(broken.map(async (location) => (await sources.locate(location)).file)))
  const isWhole = broken.length === 0
  return { root, files, contract: { root, files, document, releases, isWhole }, faults: await placed(), uncertain }
}

/** Faults for members of families without a required part, lists of entries that no member has, and entries that no file lists. */
async function incompleteParts(document: Document, files: ContractFiles): Promise<string[]> {
  const { schemas = {}, examples = {} } = document.components
  const declared = [...files.declarations.values()].flat().flatMap(({ name }) => {
    const kind = Object.hasOwn(schemas, name) ? 'schemas' : 'examples'
    return expansionFaults({ schemas, examples }[kind][name], ['components', kind, name])
  })
  const incomplete = [...declared, ...emptyListings(document, [])].map(({ path, fault }) => faultAt(path, fault))
  return [...incomplete, ...(await files.unlistedEntries())]
}

function existing(headers: readonly ResponseHeader[], { components }: Document): ResponseHeader[] {
  return headers.filter(({ component }) => components.headers?.[component] !== undefined)
}

/**
 * Reads and bundles the contract whose root file is `root` (absolute path).
 * @param files cache of files already read
 * @throws ContractFaults with all faults
 */
export async function bundleContract(root: string, files = new ContractFiles()): Promise<Contract> {
  const { contract, faults } = await readWithFaults(root, files)
  if (contract === undefined || faults.length > 0) throw new ContractFaults(faults)
  return contract
}

/**
 * The contracts as of each release date, newest first, with examples in the form of their date.
 * @throws ContractFaults with the changes whose steps do not fit the contract
 */
export async function datedContractsOf({
  document,
  releases,
}: Pick<Contract, 'document' | 'releases'>): Promise<ContractOfRelease[]> {
  const dated: ContractOfRelease[] = []
  const judged = new JudgedExamples(document)
  for (const { date, document: older } of datedContracts(document, releases))
    dated.push({ date, document: judged.without(await withOlderExamples(older, date, document)) })
  return dated
}
