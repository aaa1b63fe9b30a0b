/** The control API of test services: a contract of its own beside that of the service, with which it shares components. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleBeside } from './bundle.ts'
import type { Document } from './document.ts'
import type { ContractFiles } from './files.ts'

/**
 * The root file of the control API.
 * @param root of the service's contract
 * @returns undefined if it does not exist
 */
export function controlRoot(root: string): string | undefined {
  const file = join(dirname(root), 'control.yaml')
  return existsSync(file) ? file : undefined
}

/** The control API as one document. @throws ContractFaults if its references are broken */
export async function readControl(root: string, files: ContractFiles): Promise<Document | undefined> {
  const file = controlRoot(root)
  return file === undefined ? undefined : bundleBeside(file, files)
}
