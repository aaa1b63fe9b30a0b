/** `?, ?, ?` for a list of that many parameters. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ')
}
