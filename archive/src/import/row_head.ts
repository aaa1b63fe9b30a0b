import type { ArchiveReader } from '../archive_reader.ts'
import { splitFrontMatter } from '../front_matter.ts'
import { readForeignPage } from '../foreign/foreign_page.ts'
import { isHtml } from './archive_paths.ts'
import { keptValue, type RowFileHead } from './row_files.ts'
import { rowPageOf, type RowPage } from './row_properties.ts'

/** How far into the file of a row its title and values are searched for. */
const HEAD_BYTES = 64 * 1024

/** The title and the values at the start of the file of a row. */
export async function rowPageIn(
  archive: Pick<ArchiveReader, 'head'>,
  path: string,
  headings: ReadonlySet<string>,
): Promise<Pick<RowPage, 'title' | 'values'>> {
  const head = await archive.head(path, HEAD_BYTES)
  if (!isHtml(path)) return rowPageOf(splitFrontMatter(head).text, headings)
  const { title, properties } = readForeignPage(path, head)
  return { title, values: properties }
}

/** Facts that distinguish the file of a row from others. */
export async function rowHeadOf(
  archive: Pick<ArchiveReader, 'head'>,
  path: string,
  headings: readonly string[],
): Promise<RowFileHead> {
  const { title, values } = await rowPageIn(archive, path, new Set(headings))
  const byColumn = headings.flatMap((heading, index) => {
    const value = values.get(heading)
    return value === undefined ? [] : [[index, keptValue(value)] as const]
  })
  return { path, title, values: new Map(byColumn) }
}
