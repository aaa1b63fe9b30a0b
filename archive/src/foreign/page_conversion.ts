import type { MarkdownBlock } from '@workspace-service/server/domain/content/index.ts'
import type { Flow, TextStyle } from './flow.ts'
import type { HtmlNode } from './html_tree.ts'
import type { LinkTarget } from './link_target.ts'

/** What converting a page needs. */
export interface PageConversion {
  readonly targets: ReadonlyMap<string, LinkTarget>
  /** Pages and databases in the page that have a line of their own. */
  readonly placed: Set<string>
  lose(what: string, reason: string): void
  /** Converts what is in an element. Elements get it from here, as they are in each other. */
  blocksOf(nodes: readonly HtmlNode[], style?: TextStyle): MarkdownBlock[]
  addNodes(nodes: readonly HtmlNode[], flow: Flow, style: TextStyle): void
}
