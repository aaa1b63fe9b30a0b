import { Drafter } from '../../server/domain/content/markdown/parse/drafter.ts'
import { atOnce } from '../../server/kernel/yield_to_event_loop.ts'
import { parseBlocks } from '../../server/domain/content/markdown/parse/parse_blocks.ts'
import { nothingResolved } from '../../server/domain/content/markdown/parse/resolved.ts'
import type { PageNode, ShowFacts } from '../../server/domain/content/block_types/markdown_rules.ts'
import { MarkdownPresenter } from '../../server/domain/content/markdown/write/markdown_presenter.ts'
import { writeBlocks } from '../../server/domain/content/markdown/write/write_blocks.ts'
import type { Draft } from '../../server/domain/content/blocks/plan.ts'
import { ReferenceList } from '../../server/domain/content/references.ts'
import { bar } from '../progress.ts'

/** Processor time of every round in milliseconds, for one text. */
export interface MarkdownFigures {
  readonly megabytes: number
  readonly blocks: number
  /** From Markdown to stored blocks. */
  readonly read: readonly number[]
  /** From stored blocks to Markdown. */
  readonly write: readonly number[]
}

const BASE_URL = 'https://workspace.example'
const BYTES = 1_000_000
const WARMING_ROUNDS = 3

interface Node extends PageNode<Node> {
  readonly isMissing: false
}

/**
 * Converts a megabyte in both directions, in this process and without a database: the time for which the conversion blocks the event loop.
 */
export function measureMarkdown(rounds: number): MarkdownFigures {
  const text = sampleText()
  const [read, write]: [number[], number[]] = [[], []]
  let blocks = 0
  for (let round = 0; round < WARMING_ROUNDS + rounds; round += 1) {
    const [drafts, readMilliseconds] = timed(() => draftsOf(text))
    const nodes = drafts.map(nodeOf)
    const [written, writeMilliseconds] = timed(() => writeBlocks(new MarkdownPresenter<Node>(factsOfNothing()).list(nodes)))
    if (written.text !== text) throw new Error('the text has changed')
    blocks = countOf(drafts)
    bar('Markdown', (round + 1) / (WARMING_ROUNDS + rounds))
    if (round < WARMING_ROUNDS) continue
    read.push(readMilliseconds)
    write.push(writeMilliseconds)
  }
  return { megabytes: Buffer.byteLength(text) / 1e6, blocks, read, write }
}

function timed<T>(work: () => T): [result: T, milliseconds: number] {
  const before = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(before)
  return [result, (user + system) / 1000]
}

function draftsOf(text: string): Draft[] {
  const notes = { references: new ReferenceList(), baseUrl: BASE_URL, files: { brand: 'Service' } }
  return atOnce(new Drafter(nothingResolved, notes, 'body.markdown').list(parseBlocks(text)))
}

function nodeOf({ type, content, children }: Draft): Node {
  return { block: { id: '', type, content, pageId: null }, children: children.map(nodeOf), isMissing: false }
}

function countOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { children }) => sum + 1 + countOf(children), 0)
}

function factsOfNothing(): ShowFacts {
  return {
    baseUrl: BASE_URL,
    users: new Map(),
    titles: new Map(),
    emojis: new Map(),
    originals: new Map(),
    databases: new Map(),
    files: new Map(),
  }
}

function sampleText(): string {
  const sections: string[] = []
  for (let [index, length] = [0, 0]; length < BYTES; index += 1) {
    const section = sectionOf(index)
    sections.push(section)
    length += section.length + 1
  }
  return sections.join('\n')
}

/** Realistic notes: headings, paragraphs, nested lists, marks, links, a table, some code. Fifteen blocks. */
export function sectionOf(index: number): string {
  return [
    `## Section ${index} {color="blue"}`,
    `Meet at the **old** gate at low water, take the *short* way along [the wall](https://example.org/wall/${index}) and wait for the ferry; it leaves when the tide has turned.`,
    `A second paragraph of section ${index}, without any marks, long enough to be one that somebody might have written on a page.`,
    '- [ ] Pack the maps and the spare line',
    `\t- [x] Print route ${index}`,
    '\t- Ask for \`channel 12\`',
    '1. Check the sill',
    '2. Check <span color="red">every</span> shackle',
    '> Bring water<br>and a hat',
    '<details>',
    '<summary>Costs</summary>',
    '\tThe ferry is $12x + 3$ for a group.',
    '</details>',
    '<table header-row="true">',
    '\t<tr>',
    '\t\t<td>Item</td>',
    '\t\t<td>Price</td>',
    '\t</tr>',
    '\t<tr>',
    '\t\t<td>Ticket</td>',
    '\t\t<td>14</td>',
    '\t</tr>',
    '</table>',
    '\`\`\`typescript',
    `const section = ${index} // nothing in here is a *mark*`,
    '\`\`\`',
  ].join('\n')
}
