import { Parser } from 'htmlparser2'

export interface HtmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: HtmlNode[]
}

export type HtmlNode = HtmlElement | string

/** The maximum depth of elements. Deeper elements are ignored, but their content is kept. */
const DEPTH_MAX = 100
/** The most elements and texts of one page. */
const NODES_MAX = 500_000

/** A tree of elements. Incomplete if the page exceeds `NODES_MAX`; any HTML parses. */
export interface HtmlTree {
  readonly root: HtmlElement
  readonly isComplete: boolean
}

export function parseHtml(html: string): HtmlTree {
  const root: HtmlElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  let [nodes, tooDeep] = [0, 0]
  const top = (): HtmlNode[] | undefined => ((nodes += 1) > NODES_MAX ? undefined : open.at(-1)?.children)
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [] }
        const siblings = open.length > DEPTH_MAX ? undefined : top()
        if (!siblings) tooDeep += 1
        else {
          siblings.push(element)
          open.push(element)
        }
      },
      onclosetag() {
        if (tooDeep > 0) tooDeep -= 1
        else if (open.length > 1) open.pop()
      },
      ontext(text) {
        const siblings = top()
        const last = siblings?.at(-1)
        if (typeof last === 'string') siblings?.splice(-1, 1, last + text)
        else siblings?.push(text)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  )
  parser.end(html)
  return { root, isComplete: nodes <= NODES_MAX }
}

export function classesOf({ attributes }: HtmlElement): readonly string[] {
  return (attributes['class'] ?? '').split(/\s+/).filter(Boolean)
}

/** All descendants of an element, in order. */
export function* elementsIn({ children }: HtmlElement): Generator<HtmlElement> {
  for (const child of children)
    if (typeof child !== 'string') {
      yield child
      yield* elementsIn(child)
    }
}

export function findElement(within: HtmlElement, isWanted: (element: HtmlElement) => boolean): HtmlElement | undefined {
  for (const element of elementsIn(within)) if (isWanted(element)) return element
  return undefined
}

export function textIn(node: HtmlNode): string {
  return typeof node === 'string' ? node : node.name === 'br' ? '\n' : node.children.map(textIn).join('')
}

/** The picture or drawing beside the name of a page or property. */
export function isIcon(element: HtmlElement): boolean {
  return classesOf(element).includes('icon') && textIn(element).trim() === ''
}

export function isMedia({ name }: HtmlElement): boolean {
  return name === 'img' || name === 'video' || name === 'audio'
}

export function isTableOfContents(element: HtmlElement): boolean {
  return element.name === 'nav' && classesOf(element).includes('table_of_contents')
}

/** Whether a link only opens its picture in full size. */
export function isOwnPicture({ attributes, children }: HtmlElement): boolean {
  return children.some((node) => typeof node !== 'string' && node.name === 'img' && node.attributes['src'] === attributes['href'])
}
