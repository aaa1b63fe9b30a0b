import type { Block, Comment, PageObject } from '../../../generated/types.ts'
import {
  listOpenComments,
  plainTitles,
  readPageTree,
  readTree,
  type PageTree,
  type BlockTree,
} from '../../domain/content/index.ts'
import { retrieveDataSource, retrievePage } from '../../domain/data/index.ts'
import type { Scope } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { columnsOfSource, relatedIds, type Column } from './values/columns.ts'

/** A page with one part of its content. */
export interface LoadedPage {
  readonly page: PageObject
  /** The page, or the block of it whose content is shown. */
  readonly root: BlockTree
  readonly tree: PageTree
  /** Undefined if the page does not belong to a data source. */
  readonly columns: readonly Column[] | undefined
  readonly comments: ReadonlyMap<string, readonly Comment[]>
  readonly titles: ReadonlyMap<string, string>
}

/** The maximum content of one HTML page. Links lead to the rest. */
const LIMITS = { blocks: 400, children: 100, size: 600_000, depth: 12 } as const
const COMMENTS_MAX = 300

/** @param rootId the page or a block of it @param from the child to begin with; undefined for the first one */
export async function loadPage(scope: Scope, pageId: string, rootId: string, from: string | undefined): Promise<LoadedPage> {
  const page = await retrievePage(scope, pageId, undefined)
  if (!('properties' in page)) throw new Error(`page ${pageId} is not complete`)
  const root = await readTree(scope, rootId, from, LIMITS)
  const nodes = [...eachNodeOf(root)]
  const comments = await listOpenComments(scope, [...new Set([pageId, ...nodes.map(({ block }) => block.id)])], COMMENTS_MAX)
  return {
    page,
    root,
    tree: await readPageTree(scope, pageId),
    columns: await columnsAround(scope, page),
    comments,
    titles: await plainTitles(scope, [...relatedIds([page]), ...nodes.flatMap(({ block }) => linkedId(block) ?? [])]),
  }
}

/** A block and everything below it, in the order of the text. */
export function* eachNodeOf(node: BlockTree): Generator<BlockTree> {
  yield node
  for (const child of node.children) yield* eachNodeOf(child)
}

function linkedId(block: BlockTree['block']): string | undefined {
  return 'type' in block ? idOfLink(block) : undefined
}

function idOfLink(block: Block): string | undefined {
  if (block.type !== 'link_to_page') return undefined
  const link = block.link_to_page
  if (link.type === 'comment_id') return undefined
  return link.type === 'page_id' ? link.page_id : link.database_id
}

/** The columns of the data source of a row; undefined if it is not a row, or its data source is hidden. */
async function columnsAround(scope: Scope, { parent }: PageObject): Promise<readonly Column[] | undefined> {
  if (parent.type !== 'data_source_id') return undefined
  const source = await unlessHidden(retrieveDataSource(scope, parent.data_source_id))
  return source && columnsOfSource(source)
}

/** The result of a read; undefined if the record is hidden or missing. */
export async function unlessHidden<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'object_not_found') return undefined
    throw error
  }
}
