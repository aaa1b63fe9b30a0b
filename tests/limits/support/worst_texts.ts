/** Characters of Markdown that fit into a body of 512,000 bytes, with their escapes in JSON. */
const LENGTH = 440_000

function filled(piece: string, end = ''): string {
  return piece.repeat(Math.floor(LENGTH / piece.length)) + end
}

/** Markdown that takes long to parse, store or write, by its content. */
export const worstTexts: Readonly<Record<string, string>> = {
  'short lines': 'e\n'.repeat(19_000),
  marks: filled('**a** _b_ '),
  'unclosed delimiters': filled('*a'),
  'code spans': filled('`a` '),
  equations: filled('$a$ '),
  links: filled('[a](https://b.c) '),
  'marks in one link': `[${filled('**a** _b_ ')}](https://b.c)`,
  'colored spans': filled('<span color="blue">a</span> '),
  emojis: filled(':a: '),
  brackets: filled('['),
  'one word': filled('x'),
  'nested items': Array.from({ length: 4_000 }, (_item, index) => `${'\t'.repeat(index % 100)}- e`).join('\n'),
  rows: `<table>\n${filled('<tr><td>a</td><td>b</td></tr>\n')}</table>`,
}
