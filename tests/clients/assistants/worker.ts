import type { ShownValue } from '../../../mcp/src/values/shown_value.ts'

/** A page or a data source. */
export interface Found {
  readonly id: string
  readonly title: string
}

export interface Row extends Found {
  readonly values: Readonly<Record<string, ShownValue>>
}

/** Types of properties by name. */
export type Schema = Readonly<Record<string, string>>
/** Ids of pages and people, names of options, texts, numbers and dates. */
export type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface Selection {
  readonly where?: { readonly property: string; readonly condition: string; readonly value: string | number | boolean }
  readonly sort?: string
  readonly columns?: readonly string[]
  readonly limit?: number
}

/** The steps that plans of tasks consist of. Each tool server takes them with its own tools. */
export interface Worker {
  find(words: string, kind: 'page' | 'data_source'): Promise<readonly Found[]>
  people(): Promise<readonly { readonly id: string; readonly name: string }[]>
  /** The text of a page. */
  read(page: string): Promise<string>
  /** Values and text of a page. */
  readRow(page: string): Promise<string>
  describe(source: string): Promise<Schema>
  query(source: string, schema: Schema, selection: Selection): Promise<readonly Row[]>
  createPage(parent: string, title: string, markdown: string, icon?: string): Promise<string>
  createRows(
    source: string,
    schema: Schema,
    rows: readonly { readonly title: string; readonly values: Values; readonly markdown?: string }[],
  ): Promise<readonly string[]>
  /** Changes values, and the title or the icon if they are given. */
  update(page: string, schema: Schema, change: { values?: Values; title?: string; icon?: string }): Promise<void>
  replace(page: string, edits: readonly (readonly [old: string, text: string])[]): Promise<void>
  append(page: string, markdown: string, after?: string): Promise<void>
  comments(page: string): Promise<readonly { readonly text: string; readonly discussion: string }[]>
  comment(page: string, text: string): Promise<void>
  move(page: string, parent: string): Promise<void>
  trash(page: string, isRestored?: boolean): Promise<void>
}
