import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArchiveTree } from '../../../archive/src/import/archive_tree.ts'
import { LinkRewriter } from '../../../archive/src/import/link_rewriter.ts'
import { undashed } from '../../../server/kernel/ids.ts'
import { markdownOf } from '../../markdown/support/dialect.ts'
import { pages } from '../../markdown/support/trees.ts'

const PATHS = ['Home.md', 'Home/Inner.md', 'Home/Boats.csv', 'Home/Boats/Heron (2).md', 'Other.md', 'photo.png']

/** A rewriter for a page of an archive whose files are not imported. */
function rewriterOf(paths: readonly string[], path = 'Home.md') {
  const tree = new ArchiveTree(paths, undefined, 'seed')
  const leftOut: { what: string; where: string; reason: string }[] = []
  const parts = {
    tree,
    leftOut,
    origin: 'http://127.0.0.1:4000',
    archive: { has: (name: string) => paths.includes(name) },
    files: {
      upload: async (name: string) => ({ id: `id-of-${name}`, type: name.endsWith('.png') ? 'image/png' : 'text/plain' }),
    },
    personOf: async (email: string) => (email === 'nora@boats.example' ? 'id-of-nora' : undefined),
  }
  const idOf = (name: string): string => undashed(tree.idOf(name))
  return { rewriter: new LinkRewriter(parts, path), leftOut, idOf }
}

describe('in an imported page,', () => {
  it('text without relative addresses stays the same', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (trees) => {
        const markdown = markdownOf(trees)
        const { rewriter, leftOut } = rewriterOf(PATHS)
        expect(await rewriter.rewrite(markdown)).toBe(markdown)
        expect(leftOut).toEqual([])
      }),
      { numRuns: Number(process.env['RUNS'] ?? 300) },
    )
  })

  it('relative links become links to pages and databases, or mentions if the label is the title', async () => {
    const { rewriter, idOf } = rewriterOf(PATHS)
    const text =
      '[Inner](Home/Inner.md) and [it](<Home/Inner.md>), **[Heron](Home/Boats/Heron%20%282%29.md)**, [Boats](./Home/Boats.csv#x "t") here'
    expect(await rewriter.rewrite(text)).toBe(
      `<mention-page url="/${idOf('Home/Inner.md')}"/> and [it](/${idOf('Home/Inner.md')}), ` +
        `**<mention-page url="/${idOf('Home/Boats/Heron (2).md')}"/>**, <mention-database url="/${idOf('Home/Boats.csv')}"/> here`,
    )
  })

  it('the first link on a line of its own becomes a child page there, and a later one a mention', async () => {
    const { rewriter, idOf } = rewriterOf(PATHS)
    const line = `<page url="/${idOf('Home/Inner.md')}">Inner</page>`
    expect(
      await rewriter.rewrite('[Inner](Home/Inner.md)\n<page url="Other.md">[Other](Other.md)</page>\n[Inner](Home/Inner.md)'),
    ).toBe(`${line}\n<page url="/${idOf('Other.md')}">Other</page>\n<mention-page url="/${idOf('Home/Inner.md')}"/>`)
    expect(rewriter.placed.size).toBe(2)
  })

  it('links to files become media, links to people become mentions', async () => {
    const { rewriter, leftOut } = rewriterOf([...PATHS, 'tides.txt'])
    expect(
      await rewriter.rewrite(
        '![Low](photo.png)\n[Tides](tides.txt)\n[@Nora](mailto:nora@boats.example) [@X](mailto:x@y.example)',
      ),
    ).toBe(
      '![Low](file-upload://id-of-photo.png)\n<file src="file-upload://id-of-tides.txt">Tides</file>\n' +
        '<mention-user url="user://id-of-nora"/> [@X](mailto:x@y.example)',
    )
    expect(leftOut.map(({ what }) => what)).toEqual(['mention of x@y.example'])
  })

  it('links to icons of the exporting service become links to the same icons of the importing service', async () => {
    const icon = '<tab icon="https://workspace.invalid/icons/anchor_gray.svg">'
    expect(await rewriterOf(PATHS).rewriter.rewrite(icon)).toBe('<tab icon="http://127.0.0.1:4000/icons/anchor_gray.svg">')
  })

  it.each([
    ['in code', '`[Inner](Home/Inner.md)` and ``a ` [Inner](Home/Inner.md)``'],
    ['in a block of code', '```\n[Inner](Home/Inner.md)\n```'],
    ['with an escaped bracket', '\\[Inner](Home/Inner.md)'],
    ['that lead out of the archive', '[x](../../etc/passwd) ![y](/etc/passwd) [z](file:///etc/passwd)'],
  ])('links %s stay text', async (_where, text) => {
    expect(await rewriterOf(PATHS).rewriter.rewrite(text)).toBe(text)
  })
})
