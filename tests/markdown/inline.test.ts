import { describe, expect, it } from 'vitest'
import type { StoredItem } from '../../server/domain/content/rich_text/stored.ts'
import { contentOf } from './support/content.ts'
import { contentOfMarkdown, markdownOf, paragraph, text } from './support/dialect.ts'
import { BASE_URL, known } from './support/trees.ts'

const pageUrl = (id: string): string => `${BASE_URL}/${id.replaceAll('-', '')}`
const mention = (what: Extract<StoredItem, { type: 'mention' }>['mention']): StoredItem => ({ type: 'mention', mention: what })
const equation = (expression: string): StoredItem => ({ type: 'equation', equation: { expression } })
const date = (start: string, end: string | null = null): StoredItem =>
  mention({ type: 'date', date: { start, end, time_zone: null } })
const emoji = mention({ type: 'custom_emoji', custom_emoji: { id: known.emoji } })

/** Text, marks, links and mentions in the service's Markdown, in both directions. */
const bothWays: [what: string, items: StoredItem[], markdown: string][] = [
  ['plain', [text('Bring a spare line.')], 'Bring a spare line.'],
  ['bold', [text('a '), text('b', { bold: true }), text(' c')], 'a **b** c'],
  ['italic', [text('b', { italic: true })], '*b*'],
  ['strikethrough', [text('b', { strikethrough: true })], '~~b~~'],
  ['bold inside a word', [text('un'), text('believ', { bold: true }), text('able')], 'un**believ**able'],
  ['bold up to a full stop inside a word', [text('a.', { bold: true }), text('b')], '**a.**b'],
  ['underline', [text('b', { underline: true })], '<span underline="true">b</span>'],
  ['color', [text('b', { color: 'red' })], '<span color="red">b</span>'],
  ['background', [text('b', { color: 'blue_background' })], '<span color="blue_bg">b</span>'],
  ['default background', [text('b', { color: 'default_background' })], '<span color="default_bg">b</span>'],
  [
    'underline and color in one span',
    [text('b', { underline: true, color: 'red' })],
    '<span underline="true" color="red">b</span>',
  ],
  ['code', [text('x * y', { code: true })], '`x * y`'],
  ['code with backticks', [text('a `b` c', { code: true })], '``a `b` c``'],
  ['code that begins with a backtick', [text('`', { code: true })], '`` ` ``'],
  ['code that ends with a backtick', [text('x`', { code: true })], '`` x` ``'],
  ['code with blanks at both ends', [text(' x ', { code: true })], '`  x  `'],
  ['link', [text('the plan', undefined, 'https://example.org/plan')], '[the plan](https://example.org/plan)'],
  ['link with parentheses', [text('x', undefined, 'https://example.org/a)b')], '[x](https://example.org/a\\)b)'],
  ['mail link', [text('x', undefined, 'mailto:ines@northshore.example')], '[x](mailto:ines@northshore.example)'],
  ['link to a path', [text('x', undefined, '/help')], '[x](/help)'],
  [
    'link whose text is its address',
    [text('https://example.org', undefined, 'https://example.org')],
    '[https://example.org](https://example.org)',
  ],
  ['link after an exclamation mark', [text('Go!'), text('x', undefined, '/help')], 'Go\\![x](/help)'],
  ['equation', [text('Ferry is '), equation('12x + 3'), text(' per group.')], 'Ferry is $12x + 3$ per group.'],
  ['adjacent equations', [equation('a'), equation('b')], '$a$$b$'],
  ['equation with a dollar sign', [equation('\\$5')], '$\\$5$'],
  ['equation with a dollar sign that is not escaped', [equation('a$b'), equation('$c')], '$$a$b$$$$$c$$'],
  ['equation before a digit', [equation('x'), text('5 times')], '$$x$$5 times'],
  ['equation before a bold digit', [equation('x'), text('5', { bold: true })], '$x$**5**'],
  ['equation adjacent to an equation that begins with a digit', [equation('a'), equation('5')], '$a$$5$'],
  ['equation with code', [equation('\\text{`q`}')], '$\\text{`q`}$'],
  ['equation with a backtick before code', [equation('`'), text('q', { code: true })], '$`$``q``'],
  ['equation with several blanks', [equation('a  b\t c')], '$a  b\t c$'],
  [
    'equation with a backtick after an address without a scheme',
    [text('://'), equation('`'), text('x', undefined, '/help'), text('`')],
    '://$`$[x](/help)\\`',
  ],
  [
    'equation with a backtick before a link, and another after it',
    [equation('`'), text('x', undefined, '/help'), text('`')],
    '$`$[x](/help)\\`',
  ],
  ['line break', [text('a\nb')], 'a<br>b'],
  [
    'user',
    [mention({ type: 'user', user: { id: known.user } })],
    `<mention-user url="user://${known.user}">Ines \\*Varga\\*</mention-user>`,
  ],
  [
    'page',
    [mention({ type: 'page', page: { id: known.page } })],
    `<mention-page url="${pageUrl(known.page)}">Launch \\[plan\\] \\</mention-page\\></mention-page>`,
  ],
  [
    'database',
    [mention({ type: 'database', database: { id: known.database } })],
    `<mention-database url="${pageUrl(known.database)}">Repair \\<log\\></mention-database>`,
  ],
  ['date', [date('2026-05-04')], '<mention-date start="2026-05-04"/>'],
  ['dates', [date('2026-05-04', '2026-05-08')], '<mention-date start="2026-05-04" end="2026-05-08"/>'],
  ['date with a time', [date('2026-05-04T09:00:00.000+00:00')], '<mention-date start="2026-05-04" startTime="09:00"/>'],
  [
    'dates with times and offsets',
    [date('2026-05-04T09:00:30.000+01:00', '2026-05-05T10:00:00.250-03:30')],
    '<mention-date start="2026-05-04" startTime="09:00:30+01:00" end="2026-05-05" endTime="10:00:00.250-03:30"/>',
  ],
  ['custom emoji', [text('a '), emoji, text(' b')], 'a :rope_coil: b'],
  ['emoji after part of a word', [text('a:b'), emoji], 'a\\:b:rope_coil:'],
  ['a mention that is bold', [{ ...date('2026-05-04'), annotations: { bold: true } }], '**<mention-date start="2026-05-04"/>**'],
  [
    'all marks, in their order',
    [text('x', { bold: true, italic: true, strikethrough: true, underline: true, code: true, color: 'red' }, '/help')],
    '[<span underline="true" color="red">~~***`x`***~~</span>](/help)',
  ],
  [
    'overlapping marks',
    [text('a', { italic: true }), text('b', { bold: true, italic: true }), text('c', { bold: true })],
    '*a****b*c**',
  ],
  ['underscores at the edges of words', [text('_a b_ _')], '\\_a b\\_ \\_'],
  ['spaces at both edges', [text(' a ')], '\\ a\\ '],
  ['an address whose parentheses do not match', [text('x', undefined, '/a)b(')], '[x](/a\\)b\\()'],
  ['times of day, even if emojis have such names', [text('12:30:45')], '12:30:45'],
  ['white space moves out of the marks', [text(' a ', { bold: true }), text('b')], ' **a** b'.replace(/^ /, '\\ ')],
  ['white space inside the marks stays', [text('a ', { bold: true }), text('b', { bold: true, italic: true })], '**a *b***'],
]

describe('Markdown round trip of text:', () => {
  it.each(bothWays)('%s', (_what, items, markdown) => {
    expect(markdownOf([paragraph(items)])).toBe(markdown)
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([paragraph(items)]))
  })

  it.each<[string, StoredItem, string]>([
    [
      '@today',
      mention({ type: 'template_mention', template_mention: { type: 'template_mention_date', template_mention_date: 'today' } }),
      '@today',
    ],
    [
      '@now',
      mention({ type: 'template_mention', template_mention: { type: 'template_mention_date', template_mention_date: 'now' } }),
      '@now',
    ],
    [
      '@me',
      mention({ type: 'template_mention', template_mention: { type: 'template_mention_user', template_mention_user: 'me' } }),
      '@me',
    ],
    [
      'a hidden page',
      mention({ type: 'page', page: { id: known.user } }),
      `<mention-page url="${pageUrl(known.user)}">Untitled</mention-page>`,
    ],
    [
      'a former user',
      mention({ type: 'user', user: { id: known.page } }),
      `<mention-user url="user://${known.page}">Anonymous</mention-user>`,
    ],
    ['a deleted emoji', mention({ type: 'custom_emoji', custom_emoji: { id: known.page } }), '<empty-block/>'],
    ['an equation that would end early', equation('a$$b'), '`a$$b`'],
  ])('%s is written, without a round trip', (_what, item, markdown) => {
    expect(markdownOf([paragraph([item])])).toBe(markdown)
  })
})

/** Markdown that is read but never written. */
const readOnly: [what: string, markdown: string, items: StoredItem[]][] = [
  ['underscores', '__a__ _b_', [text('a', { bold: true }), text(' '), text('b', { italic: true })]],
  ['a path to another host', '[a](//example.org)', [text('[a](//example.org)')]],
  ['a link within a link', '[a [b](/x) c](/y)', [text('a [b](/x) c', undefined, '/y')]],
  [
    'an address before an exclamation mark',
    'See https://example.org!',
    [text('See '), text('https://example.org', undefined, 'https://example.org'), text('!')],
  ],
  ['underscores inside words', 'snake_case_name __init__x', [text('snake_case_name __init__x')]],
  [
    'marks in marks',
    '*a **b** c*',
    [text('a ', { italic: true }), text('b', { italic: true, bold: true }), text(' c', { italic: true })],
  ],
  ['marks around blanks', 'a * b * c ** d', [text('a * b * c ** d')]],
  ['unclosed marks', '**a *b ~~c <span color="red">d', [text('**a *b ~~c <span color="red">d')]],
  ['unopened marks', 'a** b* c~~ d</span>', [text('a** b* c~~ d</span>')]],
  ['too many stars', '****a****', [text('****a****')]],
  ['unknown attributes', '<span size="9">a</span> <span>b</span>', [text('<span size="9">a</span> <span>b</span>')]],
  [
    'spans in spans',
    '<span color="red">a <span underline="true">b</span></span>',
    [text('a ', { color: 'red' }), text('b', { color: 'red', underline: true })],
  ],
  ['API names of colors', '<span color="blue_background">a</span>', [text('a', { color: 'blue_background' })]],
  [
    'bare addresses',
    'See https://example.org/a_(b)?c=1, or (https://example.org).',
    [
      text('See '),
      text('https://example.org/a_(b)?c=1', undefined, 'https://example.org/a_(b)?c=1'),
      text(', or ('),
      text('https://example.org', undefined, 'https://example.org'),
      text(').'),
    ],
  ],
  ['other schemes', 'http://example.org xhttps://example.org', [text('http://example.org xhttps://example.org')]],
  ['addresses in links', '[see https://example.org](/help)', [text('see https://example.org', undefined, '/help')]],
  ['unsafe links', '[a](javascript:alert) [b](x.md) [c]()', [text('[a](javascript:alert) [b](x.md) [c]()')]],
  ['blanks in addresses', '[a](</a b\u0001>)', [text('a', undefined, '/a%20b%01')]],
  [
    'control characters after addresses',
    'https://example.org/a\u0001',
    [text('https://example.org/a', undefined, 'https://example.org/a'), text('\u0001')],
  ],
  ['links with a title', '[a](https://example.org "Title")', [text('a', undefined, 'https://example.org')]],
  ['links without a text', '[](https://example.org)', [text('https://example.org', undefined, 'https://example.org')]],
  ['marks in and around links', '**[a](/help) b**', [text('a', { bold: true }, '/help'), text(' b', { bold: true })]],
  ['marks do not reach into links', '**a [b**](/help)', [text('**a '), text('b**', undefined, '/help')]],
  ['brackets in links', '[a [b] c](/help)', [text('a [b] c', undefined, '/help')]],
  [
    'code before brackets',
    '[a `](/x)` b](/help)',
    [text('a ', undefined, '/help'), text('](/x)', { code: true }, '/help'), text(' b', undefined, '/help')],
  ],
  [
    'dollar signs in addresses',
    '[a](https://example.org/$b)`$`[c](/d) `',
    [text('a', undefined, 'https://example.org/$b'), text('$', { code: true }), text('c', undefined, '/d'), text(' `')],
  ],
  [
    'images inside a line',
    'a ![b](https://example.org/b.png) c',
    [text('a '), text('b', undefined, 'https://example.org/b.png'), text(' c')],
  ],
  [
    'citations',
    'a [^https://example.org/b] [^1] [^/b c]',
    [text('a '), text('https://example.org/b', undefined, 'https://example.org/b'), text(' [^1] [^/b c]')],
  ],
  ['prices', 'from $5 to $10, $ 3 $', [text('from $5 to $10, $ 3 $')]],
  ['amounts of money', 'US$100–US$200 and $20,000 to $30,000', [text('US$100–US$200 and $20,000 to $30,000')]],
  ['a price before an equation', '$5 for $x^2$', [text('$5 for '), equation('x^2')]],
  ['an equation before a price', '$x^2$ for $5', [equation('x^2'), text(' for $5')]],
  ['a dollar sign before a digit', '$x$5 $y$', [text('$x$5 '), equation('y')]],
  ['a dollar sign in code', '$a `$` b', [text('$a '), text('$', { code: true }), text(' b')]],
  [
    'code that begins after a dollar sign',
    '$5 is `a$` and `b`',
    [text('$5 is '), text('a$', { code: true }), text(' and '), text('b', { code: true })],
  ],
  ['code in an equation', '$a `$` b$', [equation('a `$` b')]],
  ['a lone dollar sign at the end', '$x and 5$$ or 6', [text('$x and 5$$ or 6')]],
  ['a lone dollar sign at the start', '$$5 and 6$', [text('$$5 and 6$')]],
  ['two unclosed dollar signs', '$$a, then $b$', [text('$$a, then '), equation('b')]],
  ['escaped dollar signs', '\\$5 and 6$, $a\\$b$', [text('$5 and 6$, '), equation('a\\$b')]],
  ['two dollar signs', 'a $$x$y$$ b', [text('a '), equation('x$y'), text(' b')]],
  ['unknown emojis', ':smile: 12:30:45', [text(':smile: 12:30:45')]],
  ['other breaks', 'a<br/>b<br />c', [text('a\nb\nc')]],
  ['unknown tags', '<b>a</b> </mention-user> <!-- x -->', [text('<b>a</b> </mention-user> <!-- x -->')]],
  ['backslashes', '\\*a\\* \\a \\\\ \\! \\:smile:', [text('*a* \\a \\ ! :smile:')]],
  ['backslash and n', 'a\\nb', [text('a\\nb')]],
  [
    'self-closing mentions',
    `<mention-page url="${known.page}"/> <mention-user url="user://${known.user}"/>`,
    [mention({ type: 'page', page: { id: known.page } }), text(' '), mention({ type: 'user', user: { id: known.user } })],
  ],
  [
    'addresses of records with a title and a query',
    `<mention-page url="${BASE_URL}/Launch-plan-${known.page.replaceAll('-', '')}?v=1">x</mention-page>`,
    [mention({ type: 'page', page: { id: known.page } })],
  ],
  [
    'agents, as users',
    `<mention-agent url="${known.user}">x</mention-agent>`,
    [mention({ type: 'user', user: { id: known.user } })],
  ],
  ['hidden data sources', `<mention-data-source url="${known.page}">Log \\*</mention-data-source>`, [text('Log *')]],
  ['hidden pages', `<mention-page url="${known.user}">Log</mention-page>`, [text('Log')]],
  ['the wrong kind', `<mention-page url="${known.database}">Log</mention-page>`, [text('Log')]],
  ['mentions without an id', '<mention-page url="x">Log</mention-page>', [text('<mention-page url="x">Log</mention-page>')]],
  ['unclosed mentions', `<mention-page url="${known.page}">Log`, [text(`<mention-page url="${known.page}">Log`)]],
  [
    'dates in a zone',
    '<mention-date start="2026-05-04" startTime="09:00" timeZone="Europe/Lisbon"/>',
    [date('2026-05-04T09:00:00.000+01:00')],
  ],
  [
    'a time that clocks skip',
    '<mention-date start="2024-03-31" startTime="02:30" timeZone="Europe/Rome"/>',
    [date('2024-03-31T03:30:00.000+02:00')],
  ],
  [
    'an end on the same day',
    '<mention-date start="2026-05-04" startTime="09:00" endTime="10:00"/>',
    [date('2026-05-04T09:00:00.000+00:00', '2026-05-04T10:00:00.000+00:00')],
  ],
  [
    'malformed dates',
    '<mention-date start="2026-02-30"/> <mention-date start="2026-05-04" end="2026-05-01"/>',
    [text('<mention-date start="2026-02-30"/> <mention-date start="2026-05-04" end="2026-05-01"/>')],
  ],
]

describe('Markdown text that is read, but written in another form:', () => {
  it.each(readOnly)('%s', (_what, markdown, items) => {
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([paragraph(items)]))
  })
})
