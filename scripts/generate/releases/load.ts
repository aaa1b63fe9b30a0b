/** For scripts that render, mock or check the contract of a release date. */

import { readFile } from 'node:fs/promises'
import type { Document } from '../document.ts'

/**
 * The contract as of a release date, from `generated/versions/<date>.json`: a whole OpenAPI 3.1 document.
 * @throws Error when there is no such release date
 */
export async function loadContract(date: string): Promise<Document> {
  const file = new URL(`../../../generated/versions/${date}.json`, import.meta.url)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`The contract as of ${date} does not exist`)
  return JSON.parse(text)
}
