/** Contracts beside that of the service, with which they share components: the control API of test services, and the console's API. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleBeside } from './bundle.ts'
import type { Document } from './document.ts'
import type { ContractFiles } from './files.ts'

/** By name, with what their generated files are. */
export const sideContracts = { control: 'control API of test services', console: 'API of the console' } as const

export type SideContract = keyof typeof sideContracts

/**
 * The root file of a contract.
 * @param root of the service's contract
 * @returns undefined if it does not exist
 */
export function sideContractRoot(root: string, name: SideContract): string | undefined {
  const file = join(dirname(root), `${name}.yaml`)
  return existsSync(file) ? file : undefined
}

/** A contract as one document. @throws ContractFaults if its references are broken */
export async function readSideContract(root: string, name: SideContract, files: ContractFiles): Promise<Document | undefined> {
  const file = sideContractRoot(root, name)
  return file === undefined ? undefined : bundleBeside(file, files)
}
