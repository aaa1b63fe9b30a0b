import { describe, expect, it } from 'vitest'
import { formats } from '../../server/contract/formats.ts'
import { nativeIconName, nativeIconOfUrl } from '../../server/kernel/native_icons.ts'

/** The formats of spec/README.md. */

const accepts = (format: string, text: string): boolean | undefined => formats[format]?.accepts(text)

describe('formats', () => {
  it.each<[format: string, good: string[], bad: string[]]>([
    [
      'emoji',
      ['⛵', '💡', '5️⃣', '#️⃣', '🇵🇹', '👍🏽', '👩‍👩‍👧', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '❤️', '☀️', '⚓'],
      ['', 'a', '1', '5', 'ab', '⛵⚓', '⛵ ', ' ⛵', 'a🏽', '🇵🇹🇵🇹', ':boat:', '\u200d', '👍👍🏽', `${'👩‍'.repeat(40)}👧`],
    ],
    [
      'time-zone',
      ['UTC', 'Europe/Lisbon', 'America/Argentina/Buenos_Aires', 'Etc/GMT+12', 'Asia/Kathmandu'],
      ['', 'Europe/Atlantis', '+01:00', 'Local', 'Europe', ' UTC', 'UTC\n', '../UTC', 'UTC;'],
    ],
    [
      'absolute-url',
      ['https://example.org', 'http://localhost:4000/a?b=c#d', 'https://例え.jp/路', 'HTTPS://EXAMPLE.ORG'],
      [
        '',
        'example.org',
        '/a',
        '//example.org',
        'ftp://example.org',
        'javascript:alert(1)',
        'mailto:a@b.example',
        'https://',
        'https:// example.org',
        'https://example.org/a b',
        'data:text/html,x',
      ],
    ],
    [
      'link-url',
      ['https://example.org', 'mailto:ines@northshore.example', 'tel:+351210000000', '/3af9f30c', '/'],
      ['', '//example.org', 'a/b', '#x', '?x', 'javascript:alert(1)', 'ftp://example.org', ' /x', 'vbscript:x'],
    ],
    [
      'iso-date-or-date-time',
      [
        '2026-05-16',
        '2026-05-16T11:40',
        '2026-05-16T11:40:00',
        `2026-05-16T11:40:00.${'1'.repeat(40)}Z`,
        '2026-05-16T11:40:00+02:00',
        '0001-01-01',
      ],
      [
        '',
        '16.05.2026',
        '2026-5-16',
        '2026-05-16 11:40',
        '2026-02-30',
        '2026-05-16T',
        'tomorrow',
        '2026-05-16T11:40:00 Z',
        '+002026-05-16',
      ],
    ],
    ['date-time', ['2026-05-16T11:40:00Z', '2026-05-16T11:40:00+02:00'], ['', '2026-05-16', '2026-05-16T25:00:00Z', 'tomorrow']],
    ['date', ['2026-05-16', '2024-02-29'], ['2026-02-29', '2026-05-16T11:40']],
    [
      'native-icon',
      ['anchor', 'Anchor', 'light-bulb', 'Light Bulb', 'LIGHT_BULB', 'light  bulb', 'flux-capacitor', 'x'.repeat(50)],
      ['', 'Flux-Capacitor', 'flux capacitor', 'x'.repeat(51), 'flüx', 'anchor.blue'],
    ],
    ['uuid', ['3af9f30c-5a66-4477-bda9-d8c096d38ff5'], ['3af9f30c5a664477bda9d8c096d38ff5', 'x']],
  ])('the format %s accepts valid values and refuses invalid ones', (format, good, bad) => {
    for (const text of good) expect(accepts(format, text), text).toBe(true)
    for (const text of bad) expect(accepts(format, text), text).toBe(false)
  })

  it('are checked quickly for a long text', () => {
    const long = 'a'.repeat(500_000)
    const start = performance.now()
    for (const { accepts: judge } of Object.values(formats))
      for (const text of [long, `2026-05-16T11:40:00.${'1'.repeat(500_000)}x`, `https://${long}`]) judge(text)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

describe('native icons', () => {
  it('are stored under their internal name, however the name is spelled', () => {
    expect(['Shopping Cart', 'shopping_cart', 'SHOPPING-cart'].map(nativeIconName)).toStrictEqual([
      'shopping-cart',
      'shopping-cart',
      'shopping-cart',
    ])
    expect(nativeIconName('__proto__')).toBe('__proto__')
    expect(nativeIconName('Nothing')).toBeUndefined()
  })

  it('are recognized only by an address in the built-in set', () => {
    const base = 'https://workspace.example'
    expect(nativeIconOfUrl(`${base}/icons/light-bulb_yellow.svg`, base)).toStrictEqual({ name: 'light-bulb', color: 'yellow' })
    for (const url of [
      `${base}/icons/nothing_yellow.svg`,
      `${base}/icons/anchor_crimson.svg`,
      `${base}/icons/anchor.svg`,
      'https://example.org/icons/anchor_blue.svg',
      `${base}/anchor_blue.svg`,
    ]) {
      expect(nativeIconOfUrl(url, base), url).toBeUndefined()
    }
  })

  it("are recognized by an address on the brand's host, even beyond the built-in set", () => {
    const base = 'https://workspace.example'
    for (const host of ['www.acme.so', 'acme.example', 'cdn.www.ACME.com'])
      expect(nativeIconOfUrl(`https://${host}/icons/user_blue.svg`, base, 'Acme')).toStrictEqual({ name: 'user', color: 'blue' })
    for (const url of [
      'https://acme.example.org/icons/user_blue.svg',
      'https://notacme.com/icons/user_blue.svg',
      'http://acme.com/icons/user_blue.svg',
      'https://acme.com/images/user_blue.svg',
      'https://acme.com/icons/user_crimson.svg',
      'https://acme.com/icons/user_blue.svg?size=2',
      'https://user@acme.com/icons/user_blue.svg',
    ])
      expect(nativeIconOfUrl(url, base, 'Acme'), url).toBeUndefined()
    expect(nativeIconOfUrl('https://service.com/icons/user_blue.svg', base)).toBeUndefined()
  })
})
