import { Parser } from 'htmlparser2'
import { undashed } from '../../server/kernel/ids.ts'
import type { Caller } from './caller.ts'
import { makeComment } from './comments.ts'
import { append, makePage, text } from './content.ts'
import { makeDatabase, makeRow } from './databases_content.ts'
import { at, idOf, textAt } from './json.ts'
import { makeView } from './views.ts'

/** Texts that would run `alert` in a page that does not escape them. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)' autofocus onfocus='alert(1)",
  '</title></style></textarea></code></pre><script>alert(1)</script>',
  '<svg/onload=alert(1)>',
  '<math><mtext></mtext><mglyph><style><!--</style><img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<!--><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '\u2028<iframe srcdoc="<script>alert(1)</script>">',
]

/** Addresses that must never become links. */
export const hostileLinks: readonly string[] = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://workspace.example/1',
  '//evil.example',
  '/\\evil.example',
  '/a/../..//evil.example',
  'view-source:https://workspace.example',
]

const TAGS: ReadonlySet<string> = new Set(['script', 'iframe', 'object', 'embed', 'base', 'style', 'template', 'foreignobject'])
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'action', 'xlink:href', 'poster', 'data'])
const SAFE_ADDRESS = /^(?:\/(?![/\\])|#|https?:\/\/|mailto:|tel:)/

/** Everything in a page that could run code or lead to a forbidden address. */
export function dangersIn(html: string): string[] {
  const dangers: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      if (TAGS.has(name)) dangers.push(`<${name}>`)
      for (const [attribute, value] of Object.entries(attributes)) {
        const isHandler = attribute.startsWith('on') || ['style', 'srcdoc', 'formaction', 'http-equiv'].includes(attribute)
        if (isHandler || (ADDRESSES.has(attribute) && !SAFE_ADDRESS.test(value)))
          dangers.push(`<${name} ${attribute}="${value}">`)
      }
    },
  })
  parser.end(html)
  return dangers
}

/** Pages and views with hostile texts in every place that people can write to. @returns their paths */
export async function makeHostilePages(owner: Caller): Promise<string[]> {
  const [first = ''] = hostileTexts
  const paths: string[] = []
  const page = await makePage(owner, hostileTexts.join(' '))
  const rich = hostileTexts.map((one) => text(one))
  await append(owner, page, [
    ...['paragraph', 'heading_1', 'quote', 'callout', 'to_do', 'toggle', 'bulleted_list_item', 'template'].map((type) => ({
      [type]: { rich_text: rich },
    })),
    ...['html', 'javascript', 'plain text', 'latex', 'markdown'].map((language) => ({
      code: { rich_text: rich, language, caption: rich },
    })),
    ...hostileTexts.map((expression) => ({ equation: { expression } })),
    ...[
      String.raw`\href{javascript:alert(1)}{x}`,
      String.raw`\htmlStyle{background:url(x)}{x}`,
      String.raw`\text{<script>alert(1)</script>}`,
      String.raw`\includegraphics{https://evil.example/x.png}`,
    ].map((expression) => ({ equation: { expression } })),
    { table: { table_width: 1, has_column_header: true, children: [{ table_row: { cells: [rich] } }] } },
    { tab: { children: [{ paragraph: { rich_text: rich } }] } },
    { bookmark: { url: 'https://example.org/?q="><script>alert(1)</script>', caption: rich } },
    { image: { external: { url: 'https://example.org/"onerror="alert(1)"/x.png' }, caption: rich } },
    { file: { external: { url: 'https://example.org/x' }, name: first } },
    {
      paragraph: { rich_text: [{ equation: { expression: first } }, text(first, { annotations: { code: true, color: 'red' } })] },
    },
  ])
  await makeComment(owner, {
    parent: { page_id: page },
    rich_text: rich,
    display_name: { type: 'custom', custom: { name: first } },
  })
  paths.push(`/${undashed(page)}`, `/${undashed(page)}?as=json`, `/${undashed(page)}?as=markdown`)
  const made = await makeDatabase(
    owner,
    page,
    {
      [first]: { title: {} },
      [`${first} 2`]: { select: { options: [{ name: '<script>alert(2)</script>' }] } },
      Text: { rich_text: {} },
      Link: { url: {} },
    },
    { title: rich, description: rich },
  )
  const row = await makeRow(owner, made.sourceId, {
    [first]: { title: rich.slice(0, 5) },
    [`${first} 2`]: { select: { name: '<script>alert(2)</script>' } },
    Text: { rich_text: rich.slice(0, 5) },
    Link: { url: 'javascript:alert(1)' },
  })
  paths.push(`/${undashed(idOf(row))}`)
  const { body } = await owner.call('retrieveDataSource', { path: { data_source_id: made.sourceId } })
  const groupBy = { type: 'select', property_id: at(body, 'properties', `${first} 2`, 'id'), sort: { type: 'manual' } }
  for (const type of ['table', 'list', 'gallery'] as const)
    paths.push(textAt(await makeView(owner, made, { type, name: first }), 'url'))
  const board = await makeView(owner, made, { type: 'board', name: first, configuration: { type: 'board', group_by: groupBy } })
  return [...paths, textAt(board, 'url')].map((path) => path.replace(/^https?:\/\/[^/]+/, ''))
}
