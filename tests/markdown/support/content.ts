import type { StoredItem, StoredRichText } from '../../../server/domain/content/rich_text/stored.ts'
import type { Tree } from './trees.ts'

/**
 * A tree in a canonical form. Trees of the same content are equal, however their text is split; parts without Markdown are left out: the
 * name of a file, icons of paragraphs outside tabs, bold and the like on white space.
 */
export function contentOf(trees: readonly Tree[], parent = 'page'): unknown[] {
  let inRun = false
  return trees.map((tree) => {
    const isFirst = !inRun
    inRun = tree.type === 'numbered_list_item'
    return { type: tree.type, ...fieldsOf(tree, parent, isFirst), children: contentOf(tree.children, tree.type) }
  })
}

function fieldsOf({ type, content }: Tree, parent: string, isFirst: boolean): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(content)) {
    if (name === 'rich_text' || (name === 'caption' && type !== 'code'))
      fields[name] = type === 'code' ? codeOf(value as StoredRichText) : charactersOf(value as StoredRichText)
    else if (name === 'cells') fields[name] = (value as StoredRichText[]).map(charactersOf)
    else if (name === 'list_start_index') fields[name] = isFirst && value !== 1 ? value : undefined
    else if (name === 'icon') fields[name] = type === 'paragraph' && parent !== 'tab' ? undefined : value
    else if (name !== 'name' && name !== 'nameIsDefault' && name !== 'caption') fields[name] = value
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function codeOf(items: StoredRichText): string {
  return items.map((item) => (item.type === 'text' ? item.text.content : '')).join('')
}

/** Characters with their annotations. */
function charactersOf(items: StoredRichText): unknown[] {
  const runs: { what: unknown; look: string }[] = []
  const add = (what: unknown, looks: string): void => {
    const last = runs.at(-1)
    if (last?.look === looks && typeof last.what === 'string' && typeof what === 'string') last.what += what
    else runs.push({ what, look: looks })
  }
  for (const item of items) {
    if (item.type === 'text') {
      const looks = new Map<string, string>()
      for (const character of item.text.content.replace(/\r\n?/g, '\n')) {
        const kind = character === '\n' ? 'break' : /\s/.test(character) ? 'space' : 'other'
        const known = looks.get(kind) ?? JSON.stringify([item.text.link?.url ?? null, look(item, character)])
        looks.set(kind, known)
        add(character, known)
      }
    } else {
      add(
        item.type === 'equation' ? { equation: item.equation.expression } : { mention: item.mention },
        JSON.stringify([null, look(item, undefined)]),
      )
    }
  }
  return runs
}

function look({ annotations }: StoredItem, character: string | undefined): Record<string, unknown> {
  const { bold, italic, strikethrough, underline, code, color } = annotations ?? {}
  const isSpace = character !== undefined && /\s/.test(character)
  return {
    ...(isSpace ? {} : { bold: Boolean(bold), italic: Boolean(italic), strikethrough: Boolean(strikethrough) }),
    underline: Boolean(underline),
    color: color ?? 'default',
    // Only text can be code, but not line breaks.
    ...(character === undefined || character === '\n' ? {} : { code: Boolean(code) }),
  }
}
