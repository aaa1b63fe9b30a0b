import {
  markdownBlock,
  type Inline,
  type InlineObject,
  type MarkdownBlock,
  type TextMarks,
} from '@workspace-service/server/domain/content/index.ts'
import type { HtmlElement } from './html_tree.ts'

export interface TextStyle {
  readonly marks: TextMarks
  readonly link?: string
  /** The picture whose caption gets the link, if no text gets it. */
  readonly linkedPicture?: HtmlElement | undefined
  /** Whether line ends and blanks count. */
  readonly isVerbatim?: boolean
}

/** Collects blocks, and text that becomes paragraphs between them. */
export class Flow {
  readonly blocks: MarkdownBlock[] = []
  #run: Inline[] = []
  /** Blocks that follow the current paragraph. */
  #after: MarkdownBlock[] = []
  #endsWithBlank = true
  /** How many texts and blocks have been added, to detect whether a call adds any. */
  added = 0

  text(written: string, { marks, link, isVerbatim }: TextStyle): void {
    const collapsed = isVerbatim ? written : written.replace(/[ \t\r\n\f]+/g, ' ')
    const text = this.#endsWithBlank && !isVerbatim ? collapsed.replace(/^ /, '') : collapsed
    if (text === '') return
    this.#endsWithBlank = /[ \n]$/.test(text)
    if (text.trim() !== '') this.added += 1
    this.#run.push({ type: 'text', text, outcomes: marks, ...(link === undefined ? {} : { link }) })
  }

  /** Adds a line break and drops the blanks around it. */
  lineBreak({ marks, link }: TextStyle): void {
    if (this.#run.length === 0) return
    this.#trimEnd()
    this.#run.push({ type: 'text', text: '\n', outcomes: marks, ...(link === undefined ? {} : { link }) })
    this.#endsWithBlank = true
  }

  object(inline: InlineObject, { marks }: TextStyle): void {
    this.#run.push({ ...inline, outcomes: marks })
    this.added += 1
    this.#endsWithBlank = false
  }

  block(block: MarkdownBlock): void {
    this.end()
    this.blocks.push(block)
    this.added += 1
  }

  /** Adds a block after the current paragraph. */
  follows(block: MarkdownBlock): void {
    this.#after.push(block)
    this.added += 1
  }

  /** Ends the paragraph. */
  end(): void {
    this.#trimEnd()
    const [run, after] = [this.#run, this.#after]
    this.#run = []
    this.#after = []
    this.#endsWithBlank = true
    if (run.some((inline) => inline.type !== 'text' || inline.text.trim() !== ''))
      this.blocks.push(markdownBlock('paragraph', { text: run }))
    this.blocks.push(...after)
  }

  #trimEnd(): void {
    for (let last = this.#run.at(-1); last?.type === 'text'; last = this.#run.at(-1)) {
      const text = last.text.trimEnd()
      this.#run.pop()
      if (text === '') continue
      this.#run.push({ ...last, text })
      return
    }
  }
}
