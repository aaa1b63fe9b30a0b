import { parse, stringify } from 'yaml'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

const FENCE = '---'

/** The front matter of a page; empty if it has none. */
export function frontMatter(values: Readonly<Record<string, string | null>>): string {
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  return Object.keys(set).length === 0 ? '' : `${FENCE}\n${stringify(set, { lineWidth: 0 })}${FENCE}\n`
}

/** The front matter and the text after it. Invalid front matter counts as text. */
export function splitFrontMatter(text: string): { readonly values: Readonly<Record<string, unknown>>; readonly text: string } {
  const [, inside, rest] = /^\uFEFF?---\r?\n([^]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)([^]*)$/.exec(text) ?? []
  const values = inside === undefined ? undefined : valuesIn(inside)
  return values && rest !== undefined ? { values, text: rest } : { values: {}, text: text.replace(/^\uFEFF/, '') }
}

function valuesIn(inside: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const values: unknown = parse(inside, { maxAliasCount: 0 })
    return isObject(values) ? values : undefined
  } catch {
    return undefined
  }
}
