/** Converts the HTML of the specification's examples to blocks, in the form used to compare them with the service's blocks. */

import { percentDecoded } from '../../../../server/kernel/urls.ts'

/** A block: its type, its text with marks, and its children. */
export type Block = readonly [type: string, text: string, children: readonly Block[]]

interface Element {
  readonly tag: string
  readonly attributes: string
  readonly children: readonly Node[]
}
type Node = Element | string

const isElement = (node: Node | undefined): node is Element => typeof node === 'object'

export function blocksOfHtml(html: string): Block[] {
  return blocksOf(parse(html))
}

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input'])

/** Parses well-formed HTML, without the examples of raw HTML. */
function parse(html: string): Node[] {
  const stack: { readonly tag: string; readonly attributes: string; readonly children: Node[] }[] = [
    { tag: '', attributes: '', children: [] },
  ]
  for (const [whole, close, open, attributes = ''] of html.matchAll(/<\/(\w+)>|<(\w+)([^>]*?)\/?>|[^<]+|</g)) {
    const top = stack.at(-1)
    if (open !== undefined) {
      const element = { tag: open, attributes, children: [] }
      top?.children.push(element)
      if (!VOID.has(open)) stack.push(element)
    } else if (close === undefined) top?.children.push(decoded(whole))
    else if (stack.length > 1) stack.pop()
  }
  return stack[0]?.children ?? []
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const decoded = (text: string): string => text.replaceAll(/&(lt|gt|amp|quot);/g, (_, name: string) => ENTITIES[name] ?? '')

const INLINE: ReadonlySet<string> = new Set(['a', 'br', 'code', 'del', 'em', 'img', 'input', 'strong'])

function blocksOf(nodes: readonly Node[]): Block[] {
  return nodes.flatMap((node): Block[] => {
    if (!isElement(node)) return node.trim() === '' ? [] : [['html', node.trim(), []]]
    const { tag, children } = node
    if (tag === 'p') return [paragraph(children)]
    if (/^h[1-6]$/.test(tag)) return [[`heading_${Math.min(Number(tag[1]), 4)}`, textOf(children), []]]
    if (tag === 'hr') return [['divider', '', []]]
    if (tag === 'pre') return [codeBlock(children[0])]
    if (tag === 'blockquote') return [holder('quote', blocksOf(children))]
    if (tag === 'ul' || tag === 'ol') return children.filter(isElement).map((item) => listItem(tag, item))
    if (tag === 'table') return [['table', '', rowsOf(node)]]
    return [['html', tag, []]]
  })
}

function paragraph(children: readonly Node[]): Block {
  const [only, ...others] = children
  if (!isElement(only) || only.tag !== 'img' || others.length > 0) return ['paragraph', textOf(children), []]
  return ['image', `${attribute(only, 'alt')} ${attribute(only, 'src')}`, []]
}

function codeBlock(code: Node | undefined): Block {
  if (!isElement(code)) return ['html', 'pre', []]
  return ['code', String(code.children[0] ?? '').replace(/\n$/, ''), []]
}

/** A block with the text of its first paragraph. */
function holder(type: string, blocks: readonly Block[]): Block {
  const [first, ...others] = blocks
  return first?.[0] === 'paragraph' ? [type, first[1], others] : [type, '', blocks]
}

function listItem(list: 'ol' | 'ul', { children }: Element): Block {
  const end = children.findIndex((node) => isElement(node) && !INLINE.has(node.tag))
  const own = (end === -1 ? children : children.slice(0, end)).filter((node) => node !== '\n')
  const below = blocksOf(end === -1 ? [] : children.slice(end))
  const [first] = own
  if (isElement(first) && first.tag === 'input')
    return ['to_do', `${first.attributes.includes('checked') ? 'x' : ' '}${textOf(own.slice(1)).trim()}`, below]
  const type = list === 'ul' ? 'bulleted_list_item' : 'numbered_list_item'
  return own.length === 0 ? holder(type, below) : [type, textOf(own).trim(), below]
}

function rowsOf({ children }: Element): Block[] {
  return children.filter(isElement).flatMap((one): Block[] => {
    if (one.tag !== 'tr') return rowsOf(one)
    return [
      [
        'table_row',
        one.children
          .filter(isElement)
          .map((cell) => textOf(cell.children))
          .join(' | '),
        [],
      ],
    ]
  })
}

const attribute = ({ attributes }: Element, name: string): string =>
  decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')

const MARKS: Readonly<Record<string, string>> = { strong: 'b', em: 'i', del: 's', code: 'c' }

/** A piece of text with its annotations and link. */
export type Piece = readonly [text: string, marks: readonly string[], link: string]

function textOf(nodes: readonly Node[]): string {
  return textOfPieces(nodes.flatMap((node) => piecesOf(node, [], '')))
}

function piecesOf(node: Node, marks: readonly string[], link: string): Piece[] {
  if (!isElement(node)) return [[node, marks, link]]
  if (node.tag === 'br') return [['\\', marks, link]]
  if (node.tag === 'img') return [[`![${attribute(node, 'alt')}](${attribute(node, 'src')})`, marks, link]]
  const mark = MARKS[node.tag]
  const inside = node.tag === 'a' ? attribute(node, 'href') : link
  return node.children.flatMap((child) => piecesOf(child, mark === undefined ? marks : [...marks, mark], inside))
}

/** Pieces as text, independent of how they are split. White space has no bold or italic. */
export function textOfPieces(pieces: readonly Piece[]): string {
  let text = ''
  let look = ''
  for (const [content, marks, link] of pieces) {
    if (content === '') continue
    const own = `${[...new Set(marks)].toSorted().join('')}${link === '' ? '' : ` ${percentDecoded(link)}`}`
    text += own === look ? content : `${look === '' ? '' : '›'}${own === '' ? '' : `‹${own}: `}${content}`
    look = own
  }
  return look === '' ? text : `${text}›`
}
