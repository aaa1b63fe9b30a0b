import { describe, expect, it } from 'vitest'
import { readInlineText } from '../../server/domain/markdown/parser.ts'

const LENGTH = 1_000_000

/** What takes its length squared to read takes minutes here, and runs into the general time limit. */
describe('a long text is read as fast as many short ones', () => {
  it.each([
    ['tags that are no mentions, and the end of one', '<table>', '</table>'],
    ['mentions of nothing, and the end of one', '<mention-page url="x">', '</mention-page>'],
    ['backticks that would be code in equations', '[`$` ', ']('],
  ])('%s', (_what, piece, end) => {
    const written = piece.repeat(LENGTH / piece.length) + end
    const [only] = readInlineText(written)
    expect(only?.type).toBe('text')
  })
})
