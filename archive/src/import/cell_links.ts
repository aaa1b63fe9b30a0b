import { pathOfAddress } from '../archive_names.ts'
import { hasScheme } from '@workspace-service/server/kernel/urls.ts'
import type { ArchiveReader } from '../archive_reader.ts'
import type { ArchiveTree } from './archive_tree.ts'

/** A page in a cell, as in `Heron (Boats/Heron%20<id>.md)`. */
export interface CellLink {
  readonly title: string
  readonly path: string
}

const END = /\.(?:md|html)\)(?=, |$)/gi

/** The pages that a cell of another program lists; undefined if the cell is not a list of pages of the archive. */
export function cellLinks(tree: ArchiveTree, table: string, text: string): readonly CellLink[] | undefined {
  const links: CellLink[] = []
  let start = 0
  for (const match of text.matchAll(END)) {
    const part = text.slice(start, match.index + match[0].length)
    const open = part.lastIndexOf(' (')
    const path = open === -1 ? undefined : pathOfAddress(table, part.slice(open + 2, -1))
    if (path === undefined || tree.kindOf(path) !== 'page') return undefined
    links.push({ title: part.slice(0, open), path })
    start = match.index + match[0].length + 2
  }
  return links.length > 0 && start >= text.length ? links : undefined
}

interface FileDeps {
  readonly tree: ArchiveTree
  readonly archive: Pick<ArchiveReader, 'has'>
}

/**
 * The addresses of the files that a cell of another program lists; undefined if it lists anything except files of the archive or the web.
 */
export function cellFiles({ tree, archive }: FileDeps, table: string, text: string): readonly string[] | undefined {
  const addresses = text.split(/,\s+/)
  const isFile = (address: string): boolean => {
    const path = pathOfAddress(table, address)
    return path !== undefined && archive.has(path) && tree.kindOf(path) === undefined
  }
  return addresses.every((address) => isOnWeb(address) || isFile(address)) ? addresses : undefined
}

export function isOnWeb(address: string): boolean {
  return hasScheme(address, ['http:', 'https:'])
}

/** A cell with files in the form of this service's archives. */
export function ownFileCell(addresses: readonly string[]): string {
  const encoded = addresses.map((address) =>
    address.replace(/[()\s]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
  )
  return encoded.map((address) => `[](${address})`).join('\n')
}
