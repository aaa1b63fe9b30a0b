import type {
  CalloutContent,
  Color,
  HeadingContent,
  ParagraphContent,
  RichTextItem,
  TemplateContent,
  TextContent,
} from '../../../../generated/types.ts'
import { markup, Html } from '../../oauth/html.ts'
import { iconElement } from '../icon.ts'
import { colorClass, richTextHtml } from '../rich_text.ts'
import type { BlockToRender } from './block_to_render.ts'

export function renderParagraph({ view, below }: BlockToRender, { rich_text: text, color, icon }: ParagraphContent): Html {
  return markup`<p class="${colorClass(color)}">${iconElement(view, icon ?? null)}${richTextHtml(view, text)}</p>${indented(below)}`
}

/** A heading of the first level is an `h2`, and so on: the only `h1` is the title of the page. */
export function renderHeading(
  { view, below }: BlockToRender,
  { rich_text: text, color, is_toggleable: isToggle }: HeadingContent,
  level: 1 | 2 | 3 | 4,
): Html {
  const tag = new Html(`h${level + 1}`)
  const title = markup`<${tag} class="${colorClass(color)}">${richTextHtml(view, text)}</${tag}>`
  return isToggle ? details(title, below, 'of-heading') : markup`${title}${below}`
}

export function renderToggle({ view, below }: BlockToRender, { rich_text: text, color }: TextContent): Html {
  return details(markup`<span class="${colorClass(color)}">${richTextHtml(view, text)}</span>`, below, '')
}

function details(summary: Html, below: Html, kind: string): Html {
  const content = below.text === '' ? markup`<p class="soft">Nothing is inside.</p>` : below
  return markup`<details class="toggle ${kind}"><summary>${summary}</summary><div class="inside">${content}</div></details>`
}

export function renderQuote({ view, below }: BlockToRender, { rich_text: text, color }: TextContent): Html {
  return markup`<blockquote class="${colorClass(color)}"><p>${richTextHtml(view, text)}</p>${below}</blockquote>`
}

export function renderCallout({ view, below }: BlockToRender, { rich_text: text, color, icon }: CalloutContent): Html {
  return markup`<div class="callout ${calloutColor(color)}">${iconElement(view, icon)}<div><p>${richTextHtml(view, text)}</p>${below}</div></div>`
}

function calloutColor(color: Color): string {
  return color === 'default' ? 'bg-gray' : colorClass(color)
}

/** A button that copies its blocks. Pages only show them. */
export function renderTemplate({ view, below }: BlockToRender, { rich_text: text }: TemplateContent): Html {
  return details(markup`${richTextHtml(view, text)} <span class="tag">Template button</span>`, below, '')
}

/** The content of an item of a list. */
export function renderListItem({ view, below }: BlockToRender, text: readonly RichTextItem[], color: Color): Html {
  return markup`<span class="text ${colorClass(color)}">${richTextHtml(view, text)}</span>${below}`
}

export function indented(below: Html): Html | undefined {
  return below.text === '' ? undefined : markup`<div class="indented">${below}</div>`
}
