import type { BlockTree } from '../../../domain/content/index.ts'
import type { Html } from '../../oauth/html.ts'
import type { PageView } from '../page_view.ts'

/** A block to render, with its surroundings. */
export interface BlockToRender {
  readonly view: PageView
  readonly node: BlockTree
  /** The rendered blocks below the block. */
  readonly below: Html
  /** Renders other blocks, for types that arrange the blocks below them. */
  render(nodes: readonly BlockTree[]): Html
}
