import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { writeBlocks } from '../../../server/domain/content/markdown/write/write_blocks.ts'
import { diffBlocks, type Difference, type WantedBlock } from '../../../server/domain/content/markdown/diff/diff_blocks.ts'
import type { LoadedNode } from '../../../server/domain/content/markdown/write/load_tree.ts'
import { assignOwners } from '../../../server/domain/content/markdown/diff/assign_owners.ts'
import { atOnce } from '../../../server/kernel/yield_to_event_loop.ts'
import { parseBlocks, parseInlineText } from '../../../server/domain/content/markdown/parse/parse_blocks.ts'
import { TooManyBlocksError } from '../../../server/domain/content/markdown/parse/parse_state.ts'
import { PIECES_MAX } from '../../../server/domain/content/rich_text/split_text.ts'
import { MarkdownPresenter } from '../../../server/domain/content/markdown/write/markdown_presenter.ts'
import { DEPTH_MAX } from '../../../server/domain/content/markdown/shared/markdown_block.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import { contentOf } from '../../markdown/support/content.ts'
import { markdownOf, treesOf } from '../../markdown/support/dialect.ts'
import { facts, known, PAGE, pages, type Tree } from '../../markdown/support/trees.ts'
import { mutateText } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'

/** Separates a text from its update. */
const UPDATE = '\f'

const seeds = fc.sample(pages, { numRuns: 200, seed: 1 }).map(markdownOf)

/** Blocks that were read and written are read again unchanged; an update loses no block silently, and keeps all unchanged ones. */
export const target: Target = {
  seeds: [...seeds, ...seeds.slice(1, 60).map((text, index) => `${text}${UPDATE}${seeds[index] ?? ''}\n${text}`)],
  words: [
    UPDATE,
    ...[
      '*',
      '**',
      '_',
      '~~',
      '`',
      '```',
      '$',
      '$$',
      '[',
      '](',
      ')',
      '![',
      '[^',
      '|',
      '\\',
      '\n',
      '\n\t',
      '\n    ',
      '- ',
      '1. ',
      '> ',
      '# ',
    ],
    ...['- [x] ', '---', '::: callout', ':::', '| a | b |\n| --- | --- |\n', ' {color="red"}', '{toggle="true"}', ':rope_coil:'],
    ...[
      'https://example.org/a',
      '(https://example.org)',
      '(/help)',
      '<br>',
      '<span underline="true">',
      '</span>',
      '<empty-block/>',
    ],
    ...[
      'callout',
      'details',
      'columns',
      'column',
      'tabs',
      'tab',
      'synced_block',
      'table',
      'tr',
      'td',
      'summary',
      'unknown',
    ].flatMap((name) => [`<${name}>`, `</${name}>`, `<${name}>\n\ta\n</${name}>`]),
    ...['image', 'video', 'audio', 'file', 'pdf'].map((name) => `<${name} src="https://example.org/a.png">a</${name}>`),
    `<mention-page url="${known.page}"/>`,
    `<mention-user url="user://${known.user}">a</mention-user>`,
    `<mention-date start="2026-05-04" startTime="09:00" timeZone="Europe/Lisbon"/>`,
    `<page url="${known.page}">a</page>`,
    `<database url="${known.database}" inline="true">a</database>`,
    `<synced_block_reference url="${known.original}">a</synced_block_reference>`,
    `<unknown url="${known.page}" alt="bookmark"/>`,
  ],
  mutate: mutateText,
  growsTo: 65_536,
  check(input) {
    const [before = '', after] = input.split(UPDATE)
    const trees = checkRoundTrip(before)
    if (trees) checkUpdate(trees, after)
    atOnce(parseInlineText(before))
  },
}

/** @returns the blocks, or undefined if the text is refused */
function checkRoundTrip(input: string): readonly Tree[] | undefined {
  const trees = read(input)
  if (!trees) return undefined
  if (hasManyPieces(trees) || depthOf(trees) > DEPTH_MAX) return undefined
  const markdown = markdownOf(trees)
  const again = treesOf(markdown)
  if (!isDeepStrictEqual(contentOf(again), contentOf(trees)))
    throw new Broken('what is written reads as the same', JSON.stringify(markdown))
  if (markdownOf(again) !== markdown) throw new Broken('what reads as the same is written the same', JSON.stringify(markdown))
  return trees
}

function read(markdown: string): readonly Tree[] | undefined {
  try {
    return treesOf(markdown)
  } catch (error) {
    if (error instanceof TooManyBlocksError || (error instanceof ServiceError && error.status === 400)) return undefined
    throw error
  }
}

/** The split of a text that is too long for one block depends on its pieces: blanks move out of the marks around them. */
function hasManyPieces(trees: readonly Tree[]): boolean {
  return trees.some(
    ({ content, children }) =>
      [content['rich_text'], content['caption']].some((items) => Array.isArray(items) && items.length > PIECES_MAX / 2) ||
      hasManyPieces(children),
  )
}

/** Levels of blocks. Pages show only readable levels, even if more were written. */
function depthOf(trees: readonly Tree[]): number {
  return trees.reduce((deepest, { children }) => Math.max(deepest, 1 + depthOf(children)), 0)
}

function checkUpdate(trees: readonly Tree[], after: string | undefined): void {
  const nodes = loaded(trees)
  const showing = new MarkdownPresenter<LoadedNode>(facts)
  const { text, owners } = writeBlocks(showing.list(nodes))
  const old = parseBlocks(text, Infinity)
  const shown = assignOwners(
    old,
    owners.map((block) => showing.nodes.get(block)),
  )
  const same = atOnce(diffBlocks(old, shown, parseBlocks(text, Infinity)))
  if (same.removed.length > 0 || keptOf(same.wanted).length !== below(nodes).length)
    throw new Broken('a page that is written as it is keeps every block', text)
  if (after !== undefined) checkDifference(nodes, atOnce(diffBlocks(old, shown, parseBlocks(after, Infinity))))
}

function checkDifference(nodes: readonly LoadedNode[], { wanted, removed }: Difference): void {
  const kept = keptOf(wanted)
  const isKept = new Set(kept)
  if (isKept.size !== kept.length) throw new Broken('no block is kept twice')
  if (removed.some((node) => isKept.has(node))) throw new Broken('no block is kept and removed')
  const gone = new Set(below(removed))
  if (below(nodes).some((node) => !isKept.has(node) && !gone.has(node))) throw new Broken('every block is kept or removed')
}

function keptOf(wanted: readonly WantedBlock[]): LoadedNode[] {
  return wanted.flatMap(({ kept, children }) => [
    ...(kept ? (children === undefined ? below([kept]) : [kept]) : []),
    ...keptOf(children ?? []),
  ])
}

function below(nodes: readonly LoadedNode[]): LoadedNode[] {
  return nodes.flatMap((node) => [node, ...below(node.children)])
}

/** Blocks as loaded from the store. */
function loaded(trees: readonly Tree[], parentId = PAGE, next = { id: 1 }): LoadedNode[] {
  return trees.map(({ type, content, children }, index) => {
    const id = `00000000-0000-4000-8000-${String((next.id += 1)).padStart(12, '0')}`
    const block = {
      id,
      type,
      content,
      parentId,
      pageId: PAGE,
      rank: `a${String(index).padStart(6, '0')}`,
      hasChildren: children.length > 0,
    }
    return { block, children: loaded(children, id, next), isMissing: false }
  })
}
