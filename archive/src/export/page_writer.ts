import type { Readable } from 'node:stream'
import { findDownload, objectName, type FileFact } from '@workspace-service/server/domain/files/index.ts'
import {
  presentCover,
  presentIcon,
  iconWord,
  eachNode,
  loadTree,
  factsOfTree,
  writerOfLevel,
  writeText,
  filesIn,
  gatherFacts,
  type StoredCover,
  type StoredIcon,
  type LoadedNode,
  type MarkdownBlock,
  type StoredRichText,
  type Facts,
} from '@workspace-service/server/domain/content/index.ts'
import type { Block } from '@workspace-service/server/store/blocks.ts'
import type { FilePart } from '@workspace-service/server/store/file_parts.ts'
import { inSlices, type SlicedWork } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import { ARCHIVE_ORIGIN, FILES_FOLDER, FolderNames, folderOf, relativeAddress } from '../archive_names.ts'
import { frontMatter } from '../front_matter.ts'
import { ArchivePresenter } from './archive_presenter.ts'
import type { ExportContext, ReportLoss } from './export_context.ts'

/** The files of one page, row or database, in a folder beside it. The same files in the same order get the same paths. */
export class OwnFiles {
  readonly paths = new Map<string, string>()
  readonly #folder: string
  readonly #names = new FolderNames()

  /** @param path of the page */
  constructor(path: string) {
    this.#folder = `${folderOf(path)}/${FILES_FOLDER}/`
  }

  pathOf(id: string, name: string): string {
    const path = this.paths.get(id) ?? this.#folder + this.#names.takeFile(name)
    this.paths.set(id, path)
    return path
  }

  /**
   * The context for presenting a text, in which files have their addresses in the archive.
   * @param order ids, in the order of the text
   */
  inFacts<F extends Facts>(facts: F, file: string, order: Iterable<string>): F {
    const files = new Map<string, FileFact>()
    for (const id of order) {
      const fact = facts.files.get(id)
      if (fact) files.set(id, { ...fact, link: { ...fact.link, url: relativeAddress(file, this.pathOf(id, fact.name)) } })
    }
    return { ...facts, files }
  }
}

/** Icon and cover of a page or database as text. */
export type Appearance = { readonly icon: string | null; readonly cover: string | null }

interface StoredAppearance {
  readonly icon: unknown
  readonly cover: unknown
}

export async function appearanceOf(
  { scope }: ExportContext,
  path: string,
  { icon, cover }: StoredAppearance,
  files: OwnFiles,
): Promise<Appearance> {
  const facts = files.inFacts(await gatherFacts(scope, [icon, cover]), path, filesIn([icon, cover]))
  const image = presentCover((cover ?? null) as StoredCover | null, facts)
  return {
    icon: iconWord(presentIcon((icon ?? null) as StoredIcon | null, facts), ARCHIVE_ORIGIN) ?? null,
    cover: image === null ? null : image.type === 'file' ? image.file.url : image.external.url,
  }
}

export interface WrittenPage {
  readonly block: Block
  readonly path: string
  readonly title: string
  readonly details: StoredAppearance
  readonly files: OwnFiles
}

/** Writes the Markdown of a page, and its files beside it. */
export async function writePage(context: ExportContext, page: WrittenPage): Promise<void> {
  const { block, path, title, details, files } = page
  const reportLoss: ReportLoss = (what, reason) => void context.leftOut.push({ what, where: path, reason })
  if (isFormatted(block.content['title'])) reportLoss('formatting of the title', 'Titles are plain text in an archive.')
  const appearance = await appearanceOf(context, path, details, files)
  const content = await contentOf(context, block, path, files, reportLoss)
  const heading = `# ${writeText([{ type: 'text', text: title.replace(/\s+/g, ' ').trim(), outcomes: {} }])}\n`
  const text = frontMatter(appearance) + heading + (content === '' ? '' : `\n${content}\n`)
  await context.zip.addText(path, text, block.lastEditedTime)
  await copyFiles(context, files, block.lastEditedTime, reportLoss)
}

function isFormatted(title: unknown): boolean {
  return ((title ?? []) as StoredRichText).some(
    (item) => item.type !== 'text' || item.text.link !== undefined || Object.keys(item.annotations ?? {}).length > 0,
  )
}

async function contentOf(
  context: ExportContext,
  block: Block,
  path: string,
  files: OwnFiles,
  reportLoss: ReportLoss,
): Promise<string> {
  if (!block.hasChildren) return ''
  const tree = await loadTree(context.scope, block, true)
  if (tree.hasMore) reportLoss('the end of the page', 'The page has more content than a Markdown text may have.')
  const contents: unknown[] = []
  eachNode(tree.root, (node) => void contents.push(node.block.content))
  const order = filesIn(contents)
  const facts = files.inFacts(await factsOfTree(context.scope, tree), path, order)
  return inSlices(textOf(tree.root.children, new ArchivePresenter(facts, context, { path, reportLoss })))
}

function* textOf(nodes: readonly LoadedNode[], presenter: ArchivePresenter): SlicedWork<string> {
  const write = writerOfLevel()
  const texts: string[] = []
  let before: MarkdownBlock | undefined
  for (const node of nodes)
    for (const block of presenter.list([node])) {
      const { text } = yield* write(block)
      texts.push(gapBefore(block, before), text)
      before = block
    }
  return texts.join('')
}

const IN_LISTS: ReadonlySet<string> = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do'])

/** Other programs read lines without a blank line between them as one paragraph. */
function gapBefore({ type }: MarkdownBlock, before: MarkdownBlock | undefined): string {
  if (!before) return ''
  return IN_LISTS.has(type) && before.type === type ? '\n' : '\n\n'
}

/** Copies the bytes of files into the archive. */
export async function copyFiles(
  { scope, storage, zip }: ExportContext,
  files: OwnFiles,
  time: number,
  reportLoss: ReportLoss,
): Promise<void> {
  for (const [id, path] of files.paths) {
    const file = await findDownload(scope.db, { workspaceId: scope.actor.workspaceId, id })
    const parts = file?.parts.filter(({ byteLength }) => byteLength > 0) ?? []
    const open = ({ object, byteLength }: FilePart): Promise<Readable> => storage.read(objectName(object), 0, byteLength - 1)
    const first = parts[0] && (await open(parts[0]).catch(() => undefined))
    if (!file || (parts.length > 0 && !first)) {
      reportLoss(`file ${path}`, 'Its bytes are not in the file storage.')
      continue
    }
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      for (const [index, part] of parts.entries())
        yield* (index === 0 && first ? first : await open(part)) as AsyncIterable<Uint8Array>
    }
    await zip.add(path, bytes(), time, isPacked(file.contentType))
  }
}

function isPacked(type: string): boolean {
  return /^(?:image\/(?!svg|bmp)|video\/|audio\/(?!wav)|application\/(?:pdf|zip|gzip))/.test(type)
}
