/** The contract as it is on disk now: the bundle from which everything else is made. */

import { dirname, join } from 'node:path'
import { bundle } from './bundle.ts'
import type { Document } from './document.ts'
import { ContractFaults, faultsIn } from './faults.ts'
import { ContractFiles } from './files.ts'
import { operationRows } from './operations.ts'
import { withSources } from './places.ts'
import { publicDocument } from './public.ts'
import { datedContracts, type ContractOfRelease } from './releases/contracts.ts'
import { withOlderExamples } from './releases/examples.ts'
import { JudgedExamples } from './releases/requests.ts'
import { checkReleases, readReleases, type ReleaseSpec } from './versions.ts'

export interface Contract {
  /** absolute path of the root file */
  readonly root: string
  readonly files: ContractFiles
  /** the public document */
  readonly document: Document
  /** oldest first */
  readonly releases: readonly ReleaseSpec[]
}

/**
 * Reads and bundles the contract whose root file is `root` (absolute path).
 * @param files what has been read before; the caller has called `forgetChanged`
 * @throws ContractFaults naming everything that keeps the files from being one contract
 */
export async function bundleContract(root: string, files = new ContractFiles()): Promise<Contract> {
  const [bundled, releases] = await Promise.allSettled([bundle(root, files), readReleases(join(dirname(root), 'versions'))])
  const faults = [bundled, releases].flatMap((result) => (result.status === 'rejected' ? faultsIn(result.reason) : []))
  if (bundled.status === 'rejected' || releases.status === 'rejected')
    throw await withSources(new ContractFaults(faults), root, files)
  try {
    const document = publicDocument(bundled.value)
    checkReleases(releases.value, document, operationRows(document))
    return { root, files, document, releases: releases.value }
  } catch (error) {
    throw await withSources(error, root, files)
  }
}

/**
 * The contracts as of each release date, newest first, with examples in the form of their date.
 * @throws ContractFaults naming the changes whose steps do not fit the contract
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
