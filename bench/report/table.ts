/** Text columns that line up: the first to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   ')
      .trimEnd()
  return [line(head), widths.map((width) => '─'.repeat(width)).join('   '), ...rows.map(line)]
    .map((text) => `  ${text}`)
    .join('\n')
}

/** Three significant digits: 0.123, 1.23, 12.3, 1,234. */
export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en')
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3)
}
