import type { StoredContent } from '../../../../store/blocks.ts'
import type { HostedFiles } from '../shared/hosted_files.ts'
import type { MarkdownBlock } from '../shared/markdown_block.ts'
import type { LoadedNode } from '../write/load_tree.ts'

/** The beginning of addresses of hosted files. */
function filesAddress(baseUrl: string): string {
  return `${baseUrl}/files/`
}

/** Whether a text may refer to a hosted file by its address. */
export function hasHostedFile(text: string, baseUrl: string): boolean {
  return text.includes(filesAddress(baseUrl))
}

/** @param shown blocks of a page, and the stored block that each of them shows */
export function gatherHostedFiles(shown: ReadonlyMap<MarkdownBlock, LoadedNode>, baseUrl: string): HostedFiles {
  const media = new Map<string, StoredContent>()
  const icons = new Map<string, unknown>()
  const start = filesAddress(baseUrl)
  for (const [{ fields }, { block }] of shown) {
    if (fields.source?.startsWith(start)) media.set(withoutSignatures(fields.source, baseUrl), block.content)
    if (fields.icon?.startsWith(start)) icons.set(withoutSignatures(fields.icon, baseUrl), block.content['icon'])
  }
  return { media, icons }
}

/** Removes the signatures, which differ in each response, from addresses of hosted files. */
export function withoutSignatures(text: string, baseUrl: string): string {
  const start = filesAddress(baseUrl)
  if (!text.includes(start)) return text
  return text
    .split(start)
    .map((part, index) => (index === 0 ? part : part.replace(/^([^\s"<>()?]*)\?[^\s"<>()]*/, '$1')))
    .join(start)
}
