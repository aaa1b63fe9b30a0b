import type { StructuredResult } from './tool.ts'

/** Texts that could be taken for other values, or for the end of a cell. */
const AMBIGUOUS = /^(?:["[{]|true$|false$|null$|-?\d+(?:\.\d+)?$)|[\n\r|]|^\s|\s$|^$/

/**
 * A structured result as text, for models that are shown nothing else: a line for each member, and a table for a list of records.
 * It contains everything that the JSON contains, and is never longer.
 */
export function textOfResult(result: StructuredResult): string {
  const lines = Object.entries(result).flatMap(([name, value]) => {
    if (value === undefined) return []
    return isTable(value) ? tableLines(name, value) : [`${name}: ${cell(value)}`]
  })
  const [text, json] = [lines.join('\n'), JSON.stringify(result)]
  return text.length <= json.length ? text : json
}

function isTable(value: unknown): value is readonly StructuredResult[] {
  const isRecord = (one: unknown): boolean => typeof one === 'object' && one !== null && !Array.isArray(one)
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

function tableLines(name: string, rows: readonly StructuredResult[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lineOf = (cells: readonly unknown[]): string => cells.map(cell).join(' | ')
  return [`${name}: ${lineOf(columns)}`, ...rows.map((row) => lineOf(columns.map((column) => row[column])))]
}

/** A value as text: a text without quotes where nobody can mistake it, a missing value as nothing. */
function cell(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' && !AMBIGUOUS.test(value) ? value : JSON.stringify(value)
}
