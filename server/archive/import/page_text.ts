import { undashed } from '../../kernel/ids.ts'
import { splitFrontMatter } from '../front_matter.ts'
import { NotText } from '../text_encoding.ts'
import { sendOrLeaveOut, isTaken } from './send_or_leave_out.ts'
import { coverRequest, iconRequest } from './dressing.ts'
import type { ImportParts } from './import_parts.ts'
import { LinkRewriter } from './link_rewriter.ts'
import { convertPage, readForeignPage } from '../foreign/foreign_page.ts'
import { isHtml } from './archive_paths.ts'
import { plainHeading } from './page_title.ts'
import { rowPageOf } from './row_properties.ts'

/** Most bytes of one Markdown file. A page holds no more. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024
/** Where front matter and heading of a file are. */
const HEAD_BYTES = 64 * 1024
/** Larger texts take turns: each takes many times its size. */
const LARGE_TEXT_BYTES = 256 * 1024
/** Most bytes and lines of a request. A request may have 512,000 bytes and make 20,000 blocks. */
const REQUEST_BYTES_MAX = 480_000
const REQUEST_LINES_MAX = 15_000
/** Most blocks of a text that are left out one by one. */
const REFUSED_MAX = 100
/** A title is at the start of a text. */
const TITLE_LENGTH = 8 * 1024
/** Longer texts of other programs are read in the dialect: as trees, they take some hundred times their length. */
const MARKDOWN_LENGTH_MAX = 1024 * 1024
const HEADING = /^\s*# +([^\n]*)(?:\n|$)/

/** The cells of a row, by the headings of its table. */
export type RowValues = ReadonlyMap<string, string>

/** The title that the text of a page begins with. */
export async function titleIn({ archive, manifest }: ImportParts, path: string): Promise<string | undefined> {
  if (!archive.has(path)) return undefined
  // Faults of the file are reported when its text is read.
  const head = await archive.head(path, HEAD_BYTES)
  if (!manifest) return readForeignPage(path, isHtml(path) ? head : head.slice(0, TITLE_LENGTH)).title
  const heading = HEADING.exec(splitFrontMatter(head).text)?.[1]
  return heading === undefined ? undefined : plainHeading(heading)
}

/** @returns undefined, and noted, if it is no text */
async function read({ archive, leftOut }: ImportParts, path: string): Promise<string | undefined> {
  if (!archive.has(path)) return undefined
  if (archive.sizeOf(path) > TEXT_BYTES_MAX) {
    leftOut.push({ what: 'text', where: path, reason: `It has more than ${TEXT_BYTES_MAX} bytes.` })
    return undefined
  }
  try {
    return await archive.text(path, TEXT_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    leftOut.push({ what: 'text', where: path, reason: 'It is not text.' })
    return undefined
  }
}

/** Gives a page or row what its file holds. @param children the paths of the pages and databases in it */
export function fillPage(parts: ImportParts, path: string, children: readonly string[], row?: RowValues): Promise<void> {
  const fill = (): Promise<void> => fillNow(parts, path, children, row)
  const isLarge = parts.archive.has(path) && parts.archive.sizeOf(path) > LARGE_TEXT_BYTES
  return isLarge ? parts.largeTexts.run(fill) : fill()
}

async function fillNow(parts: ImportParts, path: string, children: readonly string[], row?: RowValues): Promise<void> {
  const written = (await read(parts, path)) ?? ''
  const id = parts.tree.idOf(path)
  const links = new LinkRewriter(parts, path)
  const isForeign = !parts.manifest && (isHtml(path) || written.length <= MARKDOWN_LENGTH_MAX)
  const { values, text, placed } = await (isForeign ? foreignText(parts, path, written, row) : ownText(links, written))
  // Part of its text may exist already: nothing may be appended twice.
  if (parts.isRedone) await send(parts, id, replacement(withChildren(parts, '', children, new Set())))
  if (text !== '') await write(parts, id, path, withChildren(parts, text, children, placed))
  await writeDetails(parts, links, path, values)
}

/** The text of a page in the dialect, and what is written before it. */
interface PageText {
  readonly values: Readonly<Record<string, unknown>>
  readonly text: string
  /** The pages and databases that have a line in it. */
  readonly placed: ReadonlySet<string>
}

/** Of a page that this service has exported, or one too long to be converted. */
async function ownText(links: LinkRewriter, written: string): Promise<PageText> {
  const { values, text } = splitFrontMatter(written)
  return { values, text: (await links.rewrite(text.replace(HEADING, ''))).trim(), placed: links.placed }
}

async function foreignText(parts: ImportParts, path: string, written: string, row?: RowValues): Promise<PageText> {
  const own = row && !isHtml(path) ? withoutProperties(written, row) : written
  const page = readForeignPage(path, own, row !== undefined)
  return { ...(await convertPage(parts, path, page)), values: page.values }
}

/** The text of a row without the lines that repeat its values. */
function withoutProperties(written: string, row: RowValues): string {
  const { text } = splitFrontMatter(written)
  return written.slice(0, written.length - text.length) + rowPageOf(text, new Set(row.keys()), row).text
}

/** Lines for the pages that the text does not name, which would otherwise seem to be removed. */
function withChildren({ tree }: ImportParts, content: string, children: readonly string[], placed: ReadonlySet<string>): string {
  const lines = children
    .filter((path) => !placed.has(tree.idOf(path)))
    .map((path) => {
      const kind = tree.kindOf(path) ?? 'page'
      return `<${kind} url="/${undashed(tree.idOf(path))}"></${kind}>`
    })
  return [content, ...lines].join('\n')
}

/** Writes the text as a whole if it fits into a request, else part by part. What is refused is left out, and as little as possible with it. */
async function write(parts: ImportParts, id: string, path: string, text: string): Promise<void> {
  const [first = [], ...others] = chunksOf(topBlocks(text))
  const refused = { left: REFUSED_MAX }
  if (!(await isTaken(() => send(parts, id, replacement(first.join('\n')))))) await appendHalves(parts, id, path, first, refused)
  for (const chunk of others) await append(parts, id, path, chunk, refused)
}

/** @param refused how many more blocks of the text may be searched for by halves */
async function append(
  parts: ImportParts,
  id: string,
  path: string,
  blocks: readonly string[],
  refused: { left: number },
): Promise<void> {
  const sends = (): Promise<unknown> => send(parts, id, insertion(blocks.join('\n')))
  if (blocks.every((block) => block.trim() === '')) return
  if (blocks.length > 1 && refused.left > 0) {
    if (!(await isTaken(sends))) await appendHalves(parts, id, path, blocks, refused)
    return
  }
  const shown =
    blocks
      .find((block) => block.trim() !== '')
      ?.trim()
      .split('\n', 1)[0]
      ?.slice(0, 80) ?? ''
  const what = blocks.length > 1 ? `${blocks.length} blocks from "${shown}"` : `block "${shown}"`
  if (!(await sendOrLeaveOut(parts, what, path, sends))) refused.left -= 1
}

async function appendHalves(
  parts: ImportParts,
  id: string,
  path: string,
  blocks: readonly string[],
  refused: { left: number },
): Promise<void> {
  const middle = Math.ceil(blocks.length / 2)
  for (const half of [blocks.slice(0, middle), blocks.slice(middle)]) await append(parts, id, path, half, refused)
}

const replacement = (text: string): object => ({ type: 'replace_content', replace_content: { new_str: text } })

const insertion = (content: string): object => ({
  type: 'insert_content',
  insert_content: { content, position: { type: 'end' } },
})

function send({ target }: ImportParts, id: string, body: object): Promise<unknown> {
  return target.send('updatePageMarkdown', { path: { page_id: id }, body })
}

const FENCE = /^(`{3,}|~{3,})/
const OPENING = /^<(?!\/)([a-z][a-z_-]*)(?:\s[^>]*[^/])?>$/

/** The text of each block at the top of a page: lines indented below it belong to it. */
function topBlocks(text: string): string[] {
  const blocks: string[] = []
  let end: string | undefined
  for (const line of text.split('\n')) {
    const inside = end !== undefined || /^\s/.test(line) || line === ''
    if (inside && blocks.length > 0) blocks[blocks.length - 1] += `\n${line}`
    else blocks.push(line)
    if (end !== undefined) end = line === end ? undefined : end
    else if (!inside) end = FENCE.exec(line)?.[1] ?? (line === '$$' ? '$$' : closingOf(line))
  }
  return blocks
}

function closingOf(line: string): string | undefined {
  const tag = OPENING.exec(line)?.[1]
  return tag === undefined ? undefined : `</${tag}>`
}

/** Groups of blocks that fit into a request each, or blocks that do not fit alone. */
function chunksOf(blocks: readonly string[]): string[][] {
  const chunks: string[][] = []
  let [bytesLeft, linesLeft] = [0, 0]
  for (const block of blocks) {
    const bytes = Buffer.byteLength(JSON.stringify(block))
    const lines = block.split('\n').length
    if (bytes > bytesLeft || lines > linesLeft) {
      chunks.push([])
      ;[bytesLeft, linesLeft] = [REQUEST_BYTES_MAX, REQUEST_LINES_MAX]
    }
    chunks.at(-1)?.push(block)
    bytesLeft -= bytes
    linesLeft -= lines
  }
  return chunks
}

async function writeDetails(
  parts: ImportParts,
  links: LinkRewriter,
  path: string,
  { icon: iconWord, cover: coverWord, ...others }: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const key of Object.keys(others))
    parts.leftOut.push({ what: `"${key}" before the text`, where: path, reason: 'A page has no place for it.' })
  const icon = await iconRequest(parts, links, iconWord, path)
  const cover = await coverRequest(parts, links, coverWord, path)
  if (!icon && !cover) return
  const body = { ...(icon && { icon }), ...(cover && { cover }) }
  const sending = { path: { page_id: parts.tree.idOf(path) }, body }
  await sendOrLeaveOut(parts, 'icon or cover', path, () => parts.target.send('updatePage', sending))
}
