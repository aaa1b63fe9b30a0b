import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PackedFolder } from '../kernel/packed_folder.ts'

/** The folder of the contract files that belong to this program. */
export const contractFolder = fileURLToPath(new URL('../../generated/', import.meta.url))

const VERSIONS = 'versions/'
const packs = new Map<string, PackedFolder | undefined>()

/** The contracts by date in a folder, packed as in the published package; undefined if they are files. */
function packIn(folder: string): PackedFolder | undefined {
  const versions = join(folder, VERSIONS.slice(0, -1))
  if (!packs.has(versions)) packs.set(versions, PackedFolder.of(versions))
  return packs.get(versions)
}

/** The text of a contract file. @param name such as `openapi.json` or, below `versions/`, a release date */
export async function contractText(folder: string, name: string): Promise<string> {
  const packed = name.startsWith(VERSIONS) ? await packIn(folder)?.read(name.slice(VERSIONS.length)) : undefined
  return packed?.toString() ?? readFile(join(folder, name), 'utf8')
}

/** Synchronous version of `contractText`. */
export function contractTextSync(folder: string, name: string): string {
  const packed = name.startsWith(VERSIONS) ? packIn(folder)?.readSync(name.slice(VERSIONS.length)) : undefined
  return packed?.toString() ?? readFileSync(join(folder, name), 'utf8')
}
