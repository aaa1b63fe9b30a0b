import type { NumberedListItemContent } from '../../../../generated/types.ts'
import type { BlockTree } from '../../../domain/content/index.ts'
import { markup, type Html } from '../../oauth/html.ts'

const LISTS = ['bulleted_list_item', 'numbered_list_item', 'to_do'] as const
type ListType = (typeof LISTS)[number]

/** Consecutive items of a list, or a single block of another type. */
export interface ListRun {
  readonly list: ListType | undefined
  readonly nodes: readonly BlockTree[]
}

export function listRuns(nodes: readonly BlockTree[]): ListRun[] {
  const runs: { list: ListType | undefined; nodes: BlockTree[] }[] = []
  for (const node of nodes) {
    const list = listTypeOf(node)
    const last = runs.at(-1)
    if (list !== undefined && last?.list === list && startOf(node) === undefined) last.nodes.push(node)
    else runs.push({ list, nodes: [node] })
  }
  return runs
}

function listTypeOf({ block }: BlockTree): ListType | undefined {
  return 'type' in block ? LISTS.find((type) => type === block.type) : undefined
}

function numberedContent(node: BlockTree | undefined): NumberedListItemContent | undefined {
  const block = node?.block
  return block && 'type' in block && block.type === 'numbered_list_item' ? block.numbered_list_item : undefined
}

function startOf(node: BlockTree | undefined): number | undefined {
  return numberedContent(node)?.list_start_index
}

const NUMBERS = { numbers: '1', letters: 'a', roman: 'i' } as const

/** @param items the rendered items */
export function listElement(list: ListType, [first]: readonly BlockTree[], items: readonly Html[]): Html {
  switch (list) {
    case 'bulleted_list_item':
      return markup`<ul>${items}</ul>`
    case 'to_do':
      return markup`<ul class="to-dos">${items}</ul>`
    case 'numbered_list_item':
      return markup`<ol type="${NUMBERS[numberedContent(first)?.list_format ?? 'numbers']}" start="${startOf(first) ?? 1}">${items}</ol>`
  }
}
