import type { Budget } from '../budget.ts'

const SURROGATE = /[\ud800-\udfff]/

/** Characters of a text: its Unicode code points. */
export function charactersOf(text: string, budget: Budget): readonly string[] {
  budget.reserveText(text.length)
  budget.spend(text.length)
  return [...text]
}

export function lengthOfText(text: string, budget: Budget): number {
  budget.reserveText(text.length)
  return SURROGATE.test(text) ? charactersOf(text, budget).length : text.length
}

/** The characters from `start` up to but excluding `end`. Negative positions count as 0. */
export function partOfText(text: string, start: number, end: number, budget: Budget): string {
  const [from, to] = [Math.max(0, Math.trunc(start)), Math.max(0, Math.trunc(end))]
  if (to <= from) return ''
  budget.reserveText(text.length)
  return SURROGATE.test(text) ? charactersOf(text, budget).slice(from, to).join('') : text.slice(from, to)
}
