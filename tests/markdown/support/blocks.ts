import type { StoredItem } from '../../../server/domain/content/rich_text/stored.ts'
import { rich } from './dialect.ts'
import { BASE_URL, PAGE, type Tree } from './trees.ts'

export const first = '00000000-0000-4000-8000-000000000002'
export const blockUrl = (id: string): string => `${BASE_URL}/${PAGE.replaceAll('-', '')}#${id.replaceAll('-', '')}`
export const pageUrl = (id: string): string => `${BASE_URL}/${id.replaceAll('-', '')}`
export const lines = (...all: string[]): string => all.join('\n')
export const media = (type: Tree['type'], url: string, caption: Parameters<typeof rich>[0] = ''): Tree => ({
  type,
  content: { external: { url }, caption: rich(caption) },
  children: [],
})
export const code = (source: string, language = 'plain text'): Tree => ({
  type: 'code',
  content: { rich_text: rich(source), language, caption: [] },
  children: [],
})
export const equation = (expression: string): Tree => ({ type: 'equation', content: { expression }, children: [] })
export const inlineEquation = (expression: string): StoredItem => ({ type: 'equation', equation: { expression } })
export const column = (children: Tree[], ratio?: number): Tree => ({
  type: 'column',
  content: ratio === undefined ? {} : { width_ratio: ratio },
  children,
})
export const columns = (...children: Tree[]): Tree => ({ type: 'column_list', content: {}, children })
export const tabs = (...children: Tree[]): Tree => ({ type: 'tab', content: {}, children })
export const divider: Tree = { type: 'divider', content: {}, children: [] }
