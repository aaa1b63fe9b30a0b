import { undashed } from '@workspace-service/server/kernel/ids.ts'
import { splitFrontMatter } from '../front_matter.ts'
import { NotText } from '../text_encoding.ts'
import { addCounts, countsIn, type ContentCounts } from './content_counts.ts'
import { PageWriter } from './write_page.ts'
import { sendOptional } from './send_optional.ts'
import { coverRequest, iconRequest } from './appearance.ts'
import type { CellsByHeading } from '../foreign/foreign_page.ts'
import type { StepContext } from './import_context.ts'
import { LinkRewriter, withAbsoluteAddresses } from './link_rewriter.ts'
import { targetsOf } from '../foreign/targets.ts'
import { isHtml } from './archive_paths.ts'
import { plainHeading } from './plain_heading.ts'
import { rowPageOf } from './row_properties.ts'

/** The most bytes of one Markdown file. A page cannot hold more. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024
/** How far into a file its front matter and heading are searched for. */
const HEAD_BYTES = 64 * 1024
/** Larger texts are processed one at a time: each takes many times its size. */
const LARGE_TEXT_BYTES = 256 * 1024
/** How much of a text is parsed to find its title. */
const TITLE_LENGTH = 8 * 1024
/** Longer texts are neither converted nor counted before they are written: as trees, they take about a hundred times their length. */
const PARSED_LENGTH_MAX = 1024 * 1024
const LONG_TEXT = `The page has more than ${PARSED_LENGTH_MAX} characters. It is read as the API's Markdown, in which HTML and references are plain text.`
const HEADING = /^\s*# +([^\n]*)(?:\n|$)/

/** The title at the beginning of a page's text. */
export async function titleIn({ archive, manifest, tree, converter }: StepContext, path: string): Promise<string | undefined> {
  if (!archive.has(path)) return undefined
  // Errors in the file are reported when its text is read.
  const head = await archive.head(path, HEAD_BYTES)
  if (!manifest) {
    const read = await converter.readHead(path, isHtml(path) ? head : head.slice(0, TITLE_LENGTH), {
      isNamedByFile: tree.isVault,
    })
    return read.title
  }
  const heading = HEADING.exec(splitFrontMatter(head).text)?.[1]
  return heading === undefined ? undefined : plainHeading(heading)
}

/** @returns undefined if the file is not text, which is noted */
async function read({ archive, leftOut }: StepContext, path: string): Promise<string | undefined> {
  if (!archive.has(path)) return undefined
  if (archive.sizeOf(path) > TEXT_BYTES_MAX) {
    leftOut.push({ what: 'text', where: path, reason: `The file has more than ${TEXT_BYTES_MAX} bytes.` })
    return undefined
  }
  try {
    return await archive.text(path, TEXT_BYTES_MAX)
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    leftOut.push({ what: 'text', where: path, reason: 'The file is not text.' })
    return undefined
  }
}

/**
 * Fills a page or row with the content of its file.
 * @param children the paths of the pages and databases in it
 */
export function fillPage(context: StepContext, path: string, children: readonly string[], row?: CellsByHeading): Promise<void> {
  const fill = (): Promise<void> => fillNow(context, path, children, row)
  const isLarge = context.archive.has(path) && context.archive.sizeOf(path) > LARGE_TEXT_BYTES
  return isLarge ? context.largeTexts.run(fill) : fill()
}

async function fillNow(context: StepContext, path: string, children: readonly string[], row?: CellsByHeading): Promise<void> {
  const written = (await read(context, path)) ?? ''
  const links = new LinkRewriter(context, path)
  const isForeign = !context.manifest && (isHtml(path) || written.length <= PARSED_LENGTH_MAX)
  if (!context.manifest && !isForeign)
    context.leftOut.push({ what: 'HTML and references in the text', where: path, reason: LONG_TEXT })
  const { values, text, placed, found, titles } = await (isForeign
    ? foreignText(context, path, written, row)
    : ownText(links, written))
  const writer = new PageWriter(context, path)
  // Part of its text may exist already: nothing may be appended twice.
  if (context.isRedone) await writer.clear([...childLines(context, children, new Set())].join('\n'))
  const lines = text === '' ? [] : childLines(context, children, placed)
  if (text !== '') await writer.write([text, ...lines].join('\n'))
  // Titles count as headings. Lines of pages that the text does not mention do not count as its links.
  const made = addCounts(writer.made, { headings: titles, links: -Math.min(lines.length, writer.made.links), pictures: 0 })
  const known = addCounts(made, writer.refused)
  if (found) noteMissing(context, path, found, known)
  context.countContent(found ?? known, made)
  await writeDetails(context, links, path, values)
}

const LINK_OR_PICTURE = /^(?:link to|image|video|audio|embedded page) /

/**
 * Notes contents of the text that are neither in blocks nor noted already. A link to a picture may be counted as the picture, and vice
 * versa.
 */
function noteMissing({ leftOut }: StepContext, path: string, found: ContentCounts, known: ContentCounts): void {
  const noted = leftOut.filter(({ where, what }) => where === path && LINK_OR_PICTURE.test(what)).length
  const missing = {
    headings: found.headings - known.headings,
    'links or pictures': found.links + found.pictures - known.links - known.pictures - noted,
  }
  for (const [kind, count] of Object.entries(missing))
    if (count > 0)
      leftOut.push({ what: `${count} ${kind}`, where: path, reason: 'They were lost when the text was converted to blocks.' })
}

/** The text of a page in the dialect, and the properties that are written before it. */
interface PageText {
  readonly values: Readonly<Record<string, unknown>>
  readonly text: string
  /** The pages and databases that have a line in it. */
  readonly placed: ReadonlySet<string>
  /** Undefined if the text is too long to be counted. */
  readonly found: ContentCounts | undefined
  /** How many of its headings are the title of the page. */
  readonly titles: number
}

/** For a page that this service has exported, or one too long to be converted. */
async function ownText(links: LinkRewriter, written: string): Promise<PageText> {
  const { values, text } = splitFrontMatter(written)
  const content = text.replace(HEADING, '')
  const isCounted = content.length <= PARSED_LENGTH_MAX
  const found = isCounted ? await countsIn(await withAbsoluteAddresses(content)) : undefined
  return { values, text: (await links.rewrite(content)).trim(), placed: links.placed, found, titles: 0 }
}

async function foreignText(context: StepContext, path: string, written: string, row?: CellsByHeading): Promise<PageText> {
  const own = row && !isHtml(path) ? withoutProperties(written, row) : written
  const page = { path, written: own, row, isNamedByFile: context.tree.isVault }
  const { losses, ...converted } = await context.converter.convert(page, (addresses) => targetsOf(context, path, addresses))
  for (const { what, reason } of losses) context.leftOut.push({ what, where: path, reason })
  return converted
}

/** The text of a row without the lines that repeat its values. */
function withoutProperties(written: string, row: CellsByHeading): string {
  const { text } = splitFrontMatter(written)
  return written.slice(0, written.length - text.length) + rowPageOf(text, new Set(row.keys()), row).text
}

/** Lines for the pages that the text does not mention; without them, they would seem to be removed. */
function childLines({ tree }: StepContext, children: readonly string[], placed: ReadonlySet<string>): string[] {
  return children
    .filter((path) => !placed.has(tree.idOf(path)))
    .map((path) => {
      const kind = tree.kindOf(path) ?? 'page'
      return `<${kind} url="/${undashed(tree.idOf(path))}"></${kind}>`
    })
}

async function writeDetails(
  context: StepContext,
  links: LinkRewriter,
  path: string,
  { icon: iconWord, cover: coverWord, ...others }: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const key of Object.keys(others))
    context.leftOut.push({ what: `"${key}" before the text`, where: path, reason: 'A page cannot store it.' })
  const icon = await iconRequest(context, links, iconWord, path)
  const cover = await coverRequest(context, links, coverWord, path)
  if (!icon && !cover) return
  const body = { ...(icon && { icon }), ...(cover && { cover }) }
  const sending = { path: { page_id: context.tree.idOf(path) }, body }
  await sendOptional(context, 'icon or cover', path, () => context.target.send('updatePage', sending))
}
