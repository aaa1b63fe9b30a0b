import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { makeMarkdownPage, outline, readMarkdown, type Outline } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const RUNS = Number(process.env['RUNS'] ?? 8)
const COUNT = 60

/** Texts of one or several blocks each. */
const FORMS: readonly ((name: string) => string)[] = [
  (name) => `1. run ${name}\n2. more of ${name}`,
  (name) => `paragraph ${name}`,
  (name) => `- item ${name}\n\tbelow ${name}`,
  (name) => `## heading ${name}`,
  (name) => `<details>\n<summary>toggle ${name}</summary>\n\tinside ${name}\n</details>`,
]

interface Piece {
  readonly number: number
  readonly text: string
}

function pieceOf(number: number, name = String(number)): Piece {
  return { number, text: FORMS[number % FORMS.length]?.(name) ?? '' }
}

const pieces = Array.from({ length: COUNT }, (_piece, number) => pieceOf(number))
const textOf = (list: readonly Piece[]): string => list.map(({ text }) => text).join('\n')

interface Edit {
  readonly number: number
  readonly index: number
  readonly what: 'changed' | 'longer' | 'removed' | 'moved'
}

/** Toggles between runs of numbered items keep them apart. */
const edits = fc.uniqueArray(
  fc.record<Edit>({
    number: fc.nat(COUNT - 1),
    index: fc.nat(COUNT - 1),
    what: fc.constantFrom('changed', 'longer', 'removed', 'moved'),
  }),
  { minLength: 1, maxLength: 6, selector: ({ number }) => number },
)

function edited(list: readonly Piece[], { number, index, what }: Edit): Piece[] {
  const at = list.findIndex((piece) => piece.number === number)
  const others = list.toSpliced(at, 1)
  const form = number % FORMS.length
  if (what === 'removed' && form === 1) return others
  if (what === 'moved' && (form === 2 || form === 3)) return others.toSpliced(index, 0, pieceOf(number))
  if (what === 'longer') return list.toSpliced(at + 1, 0, { number: COUNT + number, text: `added behind ${number}` })
  return list.with(at, pieceOf(number, `${number} anew`))
}

async function replace(id: string, markdown: string): Promise<TestResponse> {
  return server.owner.call('updatePageMarkdown', {
    path: { page_id: id },
    body: { type: 'replace_content', replace_content: { new_str: markdown } },
  })
}

/** All data of blocks and their descendants. */
const whole = (all: readonly Outline[]): unknown[] => all.map(({ block, children }) => [block, ...whole(children)])
/** Blocks with all data, by their text. */
const byText = (all: readonly Outline[]): Map<string, { id: string; whole: string }> =>
  new Map(all.map((one) => [one.text, { id: one.id, whole: JSON.stringify(whole([one])) }]))

describe('updatePageMarkdown: distant changes', () => {
  it('200 with everything else kept after changes, additions, removals and moves in a long page', async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (wanted) => {
        const id = await makeMarkdownPage(server.owner, textOf(pieces))
        const before = byText(await outline(server.owner, id))
        server.clock.advance(60_000)
        const changed = wanted.reduce<readonly Piece[]>(edited, pieces)
        const { status, body } = await replace(id, textOf(changed))
        expect([status, body['markdown']]).toStrictEqual([200, textOf(changed)])
        expect(await readMarkdown(server.owner, id)).toBe(textOf(changed))
        const after = byText(await outline(server.owner, id))
        const touched = new Set(wanted.map(({ number }) => number))
        for (const [text, { id: idBefore, whole: wholeBefore }] of before) {
          const number = Number(/\d+$/.exec(text)?.[0])
          const same = after.get(text)
          if (!touched.has(number)) expect(same?.whole, text).toBe(wholeBefore)
          else if (same) expect(same.id, text).toBe(idBefore)
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('200 with ids kept for blocks swapped between both ends of a long page', async () => {
    const id = await makeMarkdownPage(server.owner, textOf(pieces))
    const before = byText(await outline(server.owner, id))
    const parts = [pieces.slice(0, 1), pieces.slice(54, 58), pieces.slice(5, 54), pieces.slice(1, 5), pieces.slice(58)]
    const { body } = await replace(id, textOf(parts.flat()))
    expect(body['markdown']).toBe(textOf(parts.flat()))
    expect(await readMarkdown(server.owner, id)).toBe(textOf(parts.flat()))
    const after = await outline(server.owner, id)
    for (const [text, { id: idBefore }] of byText(after)) expect(before.get(text)?.id, text).toBe(idBefore)
  })

  it('200 with everything in between enclosed by a tag that is opened in one place and closed in another', async () => {
    const id = await makeMarkdownPage(server.owner, textOf(pieces))
    const before = byText(await outline(server.owner, id))
    const lines = textOf(pieces).split('\n')
    const inner = lines.slice(2, -4).map((line) => `\t${line}`)
    const opened = [...lines.slice(0, 2), '<details>', '<summary>all</summary>', ...inner, '</details>', ...lines.slice(-4)].join(
      '\n',
    )
    expect((await replace(id, opened)).status).toBe(200)
    const after = await outline(server.owner, id)
    const toggle = after.find(({ text }) => text === 'all')
    expect(toggle?.children.length).toBe(before.size - 3)
    for (const { text, id: idAfter } of toggle?.children ?? []) expect(before.get(text)?.id, text).toBe(idAfter)
  })

  it('400 naming the pages that would be deleted, wherever the change is', async () => {
    const id = await makeMarkdownPage(server.owner, textOf(pieces))
    const child = await makePage(server.owner, 'Child', id)
    const lines = (await readMarkdown(server.owner, id)).split('\n')
    const { status, body } = await replace(id, [`${lines[0]} anew`, ...lines.slice(1, -1)].join('\n'))
    expect([status, String(body['message']).includes(child)]).toStrictEqual([400, true])
  })
})
