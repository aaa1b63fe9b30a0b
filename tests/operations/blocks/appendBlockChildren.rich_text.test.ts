import { describe, expect, it } from 'vitest'
import { append, contentOf, makePage, readText, text } from '../../harness/content.ts'
import { serverOfFile } from '../../harness/server.ts'

/** For each type that can be created: accepted content, defaults and responses. */

const server = await serverOfFile()
const page = await makePage(server.owner)

describe('appendBlockChildren: rich text', () => {
  describe('200', () => {
    const written = async (...items: object[]): Promise<unknown> =>
      contentOf((await append(server.owner, page, [{ paragraph: { rich_text: items } }]))[0] ?? {})['rich_text']

    it('keeps items unmerged and in order', async () => {
      expect(await written(text('a'), text('b'), text('a'))).toStrictEqual([readText('a'), readText('b'), readText('a')])
    })

    it('drops items without content', async () => {
      expect(await written(text(''), text('x'), text(''))).toStrictEqual([readText('x')])
      expect(await written(text(''))).toStrictEqual([])
    })

    it('ignores the read-only members of an item', async () => {
      expect(
        await written({
          ...readText('x', 'https://example.org/'),
          plain_text: 'other',
          href: null,
          text: { content: 'x', link: { type: 'url', url: 'https://example.org/' } },
        }),
      ).toStrictEqual([readText('x', 'https://example.org/')])
    })

    it.each([
      'https://example.org/a?b#c',
      'http://example.org',
      'mailto:ines@northshore.example',
      'tel:+351210000000',
      '/3af9f30c5a664477bda9d8c096d38ff5',
    ])('accepts the link %s', async (address) => {
      expect(await written(text('x', { text: { content: 'x', link: { url: address } } }))).toStrictEqual([readText('x', address)])
    })

    it('treats a null link like a missing one', async () => {
      expect(await written({ text: { content: 'x', link: null } })).toStrictEqual([readText('x')])
    })

    it('returns all six annotations for every kind of item', async () => {
      const annotations = {
        bold: true,
        italic: true,
        strikethrough: true,
        underline: true,
        code: true,
        color: 'default_background',
      }
      const items = await written(
        { text: { content: 'x' }, annotations },
        { equation: { expression: 'x' }, annotations: { bold: true } },
        { mention: { date: { start: '2026-05-16' } }, annotations: { color: 'red' } },
        { text: { content: 'y' }, annotations: {} },
      )
      const none = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }
      expect(items).toMatchObject([
        { annotations },
        { annotations: { ...none, bold: true } },
        { annotations: { ...none, color: 'red' } },
        { annotations: none },
      ])
    })

    it('counts the length of a text in code points', async () => {
      expect(await written(text('⛵️'.slice(0, 1).repeat(2000)))).toHaveLength(1)
      expect(await written(text('🛶'.repeat(2000)))).toStrictEqual([readText('🛶'.repeat(2000))])
    })

    it('stores any text unchanged', async () => {
      for (const odd of ['\u0000', '\ud800', '<b>&amp;</b>', '"\'; drop table blocks; --', '\r\n\t', 'مرحبا', '​']) {
        expect(await written(text(odd))).toStrictEqual([readText(odd)])
      }
    })

    it.each([
      ['a date', { start: '2026-05-16' }, { start: '2026-05-16', end: null }],
      [
        'a range of dates',
        { start: '2026-05-16', end: '2026-05-16', time_zone: null },
        { start: '2026-05-16', end: '2026-05-16' },
      ],
      [
        'a local time in a time zone',
        { start: '2026-06-27T18:58:04', time_zone: 'Europe/Berlin' },
        { start: '2026-06-27T18:58:04.000+02:00', end: null },
      ],
      ['a time without offset', { start: '2026-05-16T11:40' }, { start: '2026-05-16T11:40:00.000+00:00', end: null }],
      [
        'a time in UTC',
        { start: '2026-05-16T11:40:00Z', end: '2026-05-16T12:40:00.123456Z' },
        { start: '2026-05-16T11:40:00.000+00:00', end: '2026-05-16T12:40:00.123+00:00' },
      ],
      ['a day of another century', { start: '1849-03-01' }, { start: '1849-03-01', end: null }],
      ['a time with an offset', { start: '2026-05-16T11:40:00-03:30' }, { start: '2026-05-16T11:40:00.000-03:30', end: null }],
      [
        'a time in UTC beside the time zone UTC',
        { start: '2026-05-16T11:40:00Z', time_zone: 'UTC' },
        { start: '2026-05-16T11:40:00.000+00:00', end: null },
      ],
    ])('returns a mention of %s in the form of responses', async (_name, value, read) => {
      expect(await written({ mention: { date: value } })).toMatchObject([
        { mention: { type: 'date', date: { ...read, time_zone: null } } },
      ])
    })
  })
})
