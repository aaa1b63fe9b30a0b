import { afterEach, describe, expect, it } from 'vitest'
import { convertPage, type FindTargets, type PageToConvert } from '../../archive/src/foreign/convert_page.ts'
import { PageConverter } from '../../archive/src/foreign/page_converter.ts'
import type { LinkTarget } from '../../archive/src/foreign/link_target.ts'

let converter = new PageConverter()
afterEach(async () => {
  await converter.close()
  converter = new PageConverter()
})

const LONG = 'A sentence about tides.\n'.repeat(1_000)
const page = (written: string, path = 'Page.md'): PageToConvert => ({ path, written })

function finding(): { readonly find: FindTargets; readonly portions: number[] } {
  const portions: number[] = []
  const find: FindTargets = async (addresses) => {
    portions.push(addresses.length)
    return new Map(addresses.map((address): [string, LinkTarget] => [address, targetOf(address)]))
  }
  return { find, portions }
}

function targetOf(address: string): LinkTarget {
  if (address.endsWith('.png')) return { kind: 'file', path: address, upload: { id: 'an-upload', type: 'image/png' } }
  return address.startsWith('https:') ? { kind: 'address', url: address } : { kind: 'lost', reason: 'It is not there.' }
}

const links = Array.from({ length: 2_500 }, (_link, index) => `[${index}](https://example.org/${index})`).join('\n\n')
const pages: readonly (readonly [what: string, page: PageToConvert])[] = [
  [
    'Markdown',
    page(`---\nicon: 🌊\n---\n# Tides\n\n> [!note] Title\n> text\n\n![](a.png) <svg></svg>\n\n[lost](b.md)\n\n${LONG}`),
  ],
  ['HTML', page(`<title>Tides</title><h1>Tides</h1><img src="a.png"><canvas></canvas><p>${LONG}</p>`, 'Page.html')],
  ['2,500 links', page(links)],
]

describe('the converter of imported pages', () => {
  it.each(pages)('converts long text in a thread, with the same result as short text: %s', async (_what, written) => {
    const { find } = finding()
    expect(await converter.convert(written, find)).toEqual(await convertPage(written, find))
  })

  it('resolves addresses in batches', async () => {
    const { find, portions } = finding()
    expect((await converter.convert(page(links), find)).found.links).toBe(2_500)
    expect(portions).toEqual([1_000, 1_000, 500])
  })

  it('converts a paragraph of 100,000 lines', { timeout: 10_000 }, async () => {
    const { text } = await converter.convert(page('e\n'.repeat(100_000)), finding().find)
    expect(text).toHaveLength(2 * 100_000 - 1)
  })

  it('converts several pages at once without mixing them up', async () => {
    const { find } = finding()
    const texts = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => converter.convert(page(`# ${title}\n\n${LONG}`), find)),
    )
    expect(texts.map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
  })

  it('fails when addresses cannot be resolved, and converts the next page', async () => {
    const failing: FindTargets = () => Promise.reject(new Error('no database'))
    await expect(converter.convert(page(`[a](b.md)\n\n${LONG}`), failing)).rejects.toThrow('no database')
    expect((await converter.convert(page(`# Next\n\n${LONG}`), finding().find)).title).toBe('Next')
  })

  it('fails when its thread ends, and converts the next page in another thread', async () => {
    const closing: FindTargets = async () => {
      await converter.close()
      return new Map()
    }
    await expect(converter.convert(page(`[a](b.md)\n\n${LONG}`), closing)).rejects.toThrow(
      'The worker thread that converts pages ended unexpectedly.',
    )
    expect((await converter.convert(page(`# Next\n\n${LONG}`), finding().find)).title).toBe('Next')
  })
})
