export interface Goal {
  readonly text: string
  readonly figure: number
  readonly unit: '×' | 's' | 'MB' | 'KB' | 'ms' | 'µs' | '/s' | '%' | ''
  readonly wanted: { readonly atLeast: number } | { readonly atMost: number }
  readonly met: boolean
}

export function goal(text: string, figure: number, unit: Goal['unit'], wanted: Goal['wanted']): Goal {
  return { text, figure, unit, wanted, met: 'atLeast' in wanted ? figure >= wanted.atLeast : figure <= wanted.atMost }
}
