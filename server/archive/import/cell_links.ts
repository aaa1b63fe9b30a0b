import { pathOfAddress } from '../archive_names.ts'
import type { ArchiveTree } from './archive_tree.ts'

/** A page that a cell names, as in `Heron (Boats/Heron%20<id>.md)`. */
export interface CellLink {
  readonly title: string
  readonly path: string
}

const END = /\.(?:md|html)\)(?=, |$)/gi

/** The pages that a cell of another program consists of; undefined if it is not a list of pages of the archive. */
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
