import { convertPage } from '../../../archive/src/foreign/convert_page.ts'
import { targetsOf } from '../../../archive/src/foreign/targets.ts'
import { ArchiveTree } from '../../../archive/src/import/archive_tree.ts'
import { parseBlocks } from '../../../server/domain/content/markdown/parse/parse_blocks.ts'
import { undashed } from '../../../server/kernel/ids.ts'

export const UPLOAD = '00000000000040008000000000000001'

/** A page of an archive of another program in the dialect of the API. */
export async function converted(files: Readonly<Record<string, string>>, path = 'README.md') {
  const paths = Object.keys(files)
  const tree = new ArchiveTree(paths, undefined, 'seed')
  const archive = { has: (name: string) => paths.includes(name) }
  const upload = async (name: string) => ({ id: UPLOAD, type: name.endsWith('.png') ? 'image/png' : 'text/plain' })
  const page = { path, written: files[path] ?? '', isNamedByFile: tree.isVault }
  const { text, title, titles, losses } = await convertPage(page, (addresses) =>
    targetsOf({ tree, archive, files: { upload } }, path, addresses),
  )
  return {
    text,
    title,
    titles,
    losses: losses.map(({ what, reason }) => `${what}: ${reason}`),
    id: undashed(tree.idOf(path)),
    idOf: (name: string): string => undashed(tree.idOf(name)),
  }
}

export const blocksIn = (text: string) => parseBlocks(text)
