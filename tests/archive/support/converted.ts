import { convertPage, readForeignPage } from '../../../server/archive/foreign/foreign_page.ts'
import { ArchiveTree } from '../../../server/archive/import/archive_tree.ts'
import type { OmittedContent } from '../../../server/archive/manifest.ts'
import { parseBlocks } from '../../../server/domain/markdown/parse/parse_blocks.ts'
import { undashed } from '../../../server/kernel/ids.ts'

export const UPLOAD = '00000000000040008000000000000001'

/** A page of an archive of another program in the dialect of the API. */
export async function converted(files: Readonly<Record<string, string>>, path = 'README.md') {
  const paths = Object.keys(files)
  const tree = new ArchiveTree(paths, undefined, 'seed')
  const leftOut: OmittedContent[] = []
  const archive = { has: (name: string) => paths.includes(name) }
  const upload = async (name: string) => ({ id: UPLOAD, type: name.endsWith('.png') ? 'image/png' : 'text/plain' })
  const page = readForeignPage(path, files[path] ?? '', { isNamedByFile: tree.isVault })
  const { text, titles } = await convertPage({ tree, archive, leftOut, files: { upload } }, path, page)
  return {
    text,
    title: page.title,
    titles,
    losses: leftOut.map(({ what, reason }) => `${what}: ${reason}`),
    id: undashed(tree.idOf(path)),
    idOf: (name: string): string => undashed(tree.idOf(name)),
  }
}

export const blocksIn = (text: string) => parseBlocks(text)
