import type { MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import type { Flow, TextStyle } from './flow.ts'
import type { HtmlNode } from './html_tree.ts'
import type { LinkTarget } from './link_target.ts'

export interface PageConversion {
  readonly targets: ReadonlyMap<string, LinkTarget>
  /** Pages and databases in the page that have their own line. */
  readonly placed: Set<string>
  reportLoss(what: string, reason: string): void
  /** Converts the content of an element. Passed to elements, because they contain each other. */
  blocksOf(nodes: readonly HtmlNode[], style?: TextStyle): MarkdownBlock[]
  addNodes(nodes: readonly HtmlNode[], flow: Flow, style: TextStyle): void
}
