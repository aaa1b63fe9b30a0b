/** Whether parsed JSON has more than some levels of lists and objects. It does not look deeper, so that no value can exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const child of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value))
    if (isDeeperThan(child, levels - 1)) return true
  return false
}
