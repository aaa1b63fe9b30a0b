import type { BlockTree } from '../../../domain/content/index.ts'
import type { Html } from '../../oauth/html.ts'
import type { PageView } from '../page_view.ts'

/** A block to render, with its surroundings. */
export interface BlockToRender {
  readonly view: PageView
  readonly node: BlockTree
  /** The blocks below it. */
  readonly below: Html
  /** Renders blocks by themselves, for types that arrange what is below them. */
  render(nodes: readonly BlockTree[]): Html
}
