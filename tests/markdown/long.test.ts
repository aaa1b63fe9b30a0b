import { describe, expect, it } from 'vitest'
import { editText } from '../../server/domain/content/markdown/update/edit_text.ts'
import { atOnce } from '../../server/kernel/yield_to_event_loop.ts'
import { parseBlocks, parseInlineText, TooManyBlocksError } from '../../server/domain/content/markdown/parse/parse_blocks.ts'

const LENGTH = 1_000_000

/** Reading in quadratic time would take minutes here, and exceed the time limit of tests. */
describe('a long text is read in the same time per character as many short ones:', () => {
  it.each([
    ['tags other than mentions, and an end tag', '<table>', '</table>'],
    ['empty mentions, and an end tag', '<mention-page url="x">', '</mention-page>'],
    ['backticks that would be code in equations', '[`$` ', ']('],
    ['dollar signs that all match a distant one', '[ ](/< $', '\nc$'],
    ['spans within spans', '<span underline="true">', `x${'</span>'.repeat(LENGTH / 20)}`],
  ])('%s', (_what, piece, end) => {
    const written = piece.repeat(LENGTH / piece.length) + end
    const [only] = atOnce(parseInlineText(written))
    expect(only?.type).toBe('text')
  })
})

describe('text that only looks like a table', () => {
  const DEPTH = 8_000
  it.each([
    ['tables in tables without rows', '<table>\n', 'x\n', '</table>\n'],
    ['tables in tables with an unclosed cell', '<table>\n', '<tr><td>\n', '</table>\n'],
    ['tables in tables with a cell outside a row', '<table>\n', '<td>\n', '</table>\n'],
    ['lines of pipes above a line with too many', '|-\n', `|${'-|'.repeat(101)}`, ''],
  ])('is scanned once: %s', (_what, start, inside, end) => {
    const blocks = parseBlocks(start.repeat(DEPTH) + inside + end.repeat(DEPTH), Infinity)
    expect(new Set(blocks.map(({ type }) => type))).toStrictEqual(new Set(['paragraph']))
  })

  it('is refused for too many rows before the rows are filled with cells', () => {
    const text = `<table><tr>${'<td/>'.repeat(100)}</tr>${'<tr/>'.repeat(80_000)}</table>`
    expect(() => parseBlocks(text)).toThrow(TooManyBlocksError)
  })
})

describe('replacing in a long text', () => {
  /** The resulting text, and the number of event loop turns meanwhile. */
  async function replaceAll(
    text: string,
    wanted: string,
    replacement: string,
    times = 1,
  ): Promise<{ text: string; turns: number }> {
    const update = { old_str: wanted, new_str: replacement, replace_all_matches: true }
    const content_updates = Array.from({ length: times }, () => update)
    let turns = 0
    let isWatching = true
    const turn = (): void => {
      turns += 1
      if (isWatching) setImmediate(turn)
    }
    setImmediate(turn)
    const edit = await editText(
      text,
      { type: 'update_content', update_content: { content_updates } },
      { baseUrl: 'https://example.com' },
    )
    isWatching = false
    return { text: edit.kind === 'text' ? edit.text : '', turns }
  }

  it('yields to other work at least once in every 50,000 characters, in every edit', async () => {
    const { turns } = await replaceAll(`${'a'.repeat(99)}b`.repeat(LENGTH / 100), 'b', 'b', 5)
    expect(turns).toBeGreaterThanOrEqual((5 * LENGTH) / 50_000)
  })

  it.each([
    ['a short text', 'aba'],
    ['a text of more than a hundred characters', 'aab'.repeat(50)],
    ['a text longer than one search batch', 'ab'.repeat(30_000)],
  ])('finds %s at any position, including across two batches', async (_what, wanted) => {
    const text = `${'z'.repeat(49_999)}${wanted.repeat(3)}a${'yz'.repeat(30_000)}${wanted}${'ab'.repeat(40_000)}`
    expect((await replaceAll(text, wanted, '-')).text).toBe(text.split(wanted).join('-'))
  })
})
